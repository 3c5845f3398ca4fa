import type { FileReading } from '../../platform/files/list-files.ts';
import type { BlockIdExt } from '../block-id.ts';
import { chainSteps } from '../chain/chain-steps.ts';
import type { ChainTip, Source, SourceFacts } from '../source.ts';
import { ArchiveShelf } from './archive-shelf.ts';
import { ArchiveSignatures } from './archive-signatures.ts';
import { describePartial } from './pack-entries.ts';
import { listPacks, type PackFolder } from './pack-groups.ts';

/** Groups up to which blocks are counted before the start: that reads the index of every package. */
const COUNTED_GROUPS = 32;

/** Blocks from the packages of a node or of an archive dump; `path` is a `.pack` file or a folder of them. */
export async function openArchive(
  path: string,
  hardForks: readonly BlockIdExt[],
  reading?: FileReading,
): Promise<Source> {
  const folder = await listPacks(path, reading);
  const shelf = new ArchiveShelf(folder, reading);
  const signatures = new ArchiveSignatures(path, reading);
  let facts: Promise<SourceFacts> | null = null;
  return {
    name: `archive:${path}`,
    finite: true,
    continuity: 'chain',
    describe() {
      facts ??= describeArchive(folder, shelf);
      return facts;
    },
    steps: (after: ChainTip | null, signal: AbortSignal) => chainSteps(shelf, after, hardForks, signal),
    signatures: (block) => signatures.read(block),
    close: () => shelf.close(),
  };
}

async function describeArchive(folder: PackFolder, shelf: ArchiveShelf): Promise<SourceFacts> {
  const firstMcSeqno = await shelf.masterchainFrom(0);
  const id = firstMcSeqno === null ? null : await shelf.masterchainId(firstMcSeqno);
  const first = id && (await shelf.read(id));
  const prev = first?.header.prevRefs[0];
  const counts = await countEntries(folder, shelf);
  return {
    firstMcSeqno,
    lastMcSeqno: await shelf.lastMasterchain(),
    zerostate: prev?.seqno === 0 ? { rootHash: prev.rootHash, fileHash: prev.fileHash } : null,
    globalId: first?.header.globalId ?? null,
    blocks: counts.blocks,
    bytes: folder.bytes,
    states: [],
    duplicates: counts.duplicates,
    ignored: [...folder.ignored, ...counts.notes],
  };
}

async function countEntries(folder: PackFolder, shelf: ArchiveShelf) {
  const total = folder.groups.length;
  const counted = total <= COUNTED_GROUPS ? folder.groups.keys() : [total - 1];
  const notes: string[] = [];
  const kinds = new Map<string, number>();
  let blocks = 0;
  let duplicates = 0;
  // One after the other: the shelf keeps three.
  for (const at of [...counted, null]) {
    const index = at === null ? await shelf.loose() : await shelf.group(at);
    if (!index) continue;
    blocks += index.size;
    duplicates += index.duplicates;
    notes.push(...index.partial.map(describePartial));
    for (const [kind, count] of index.otherKinds) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  notes.push(...[...kinds].map(([kind, count]) => `${count} entries of kind ${kind}: not blocks`));
  return { blocks: total <= COUNTED_GROUPS ? blocks : null, duplicates, notes };
}
