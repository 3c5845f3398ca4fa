import type { FileReading } from '../../platform/files/list-files.ts';
import type { BlockIdExt } from '../block-id.ts';
import type { BlockRange } from '../block-range.ts';
import { chainSteps } from '../chain/chain-steps.ts';
import type { Source, SourceFacts } from '../source.ts';
import { factsOfRange, stepsOfRange } from './archive-range.ts';
import { ArchiveShelf } from './archive-shelf.ts';
import { ArchiveSignatures } from './archive-signatures.ts';
import { describeStart } from './describe-start.ts';
import { followArchive } from './follow-archive.ts';
import type { FollowOptions } from './growing-shelf.ts';
import { describePartial } from './pack-entries.ts';
import { listPacks, type PackFolder } from './pack-groups.ts';
import { PackIndex } from './pack-index.ts';

/** Groups up to which blocks are counted before the start: that reads the index of every package. */
const COUNTED_GROUPS = 32;

export interface ArchiveOptions {
  /** A node is still writing the packages, so the source does not end. */
  readonly follow?: FollowOptions | undefined;
  /** Default: all blocks. Not with `follow`. */
  readonly range?: BlockRange | null;
}

/** Blocks from the packages of a node or of an archive dump; `path` is a `.pack` file or a folder of them. */
export async function openArchive(
  path: string,
  hardForks: readonly BlockIdExt[],
  reading: FileReading = {},
  { follow, range = null }: ArchiveOptions = {},
): Promise<Source> {
  if (follow) return followArchive(path, hardForks, reading, follow);
  const folder = await listPacks(path, reading);
  const packs = new PackIndex(folder, reading);
  const shelf = new ArchiveShelf(packs);
  const signatures = new ArchiveSignatures(packs, reading);
  let facts: Promise<SourceFacts> | null = null;
  return {
    name: `archive:${path}`,
    finite: true,
    continuity: 'chain',
    describe() {
      facts ??= describeArchive(folder, shelf).then((all) => factsOfRange(all, range));
      return facts;
    },
    steps: (after, signal) =>
      stepsOfRange(shelf, range, after, (tip) => chainSteps(shelf, tip, hardForks, signal)),
    signatures: (block) => signatures.read(block),
    close: () => shelf.close(),
  };
}

async function describeArchive(folder: PackFolder, shelf: ArchiveShelf): Promise<SourceFacts> {
  const start = await describeStart(shelf);
  const counts = await countEntries(folder, shelf);
  return {
    ...start,
    lastMcSeqno: await shelf.lastMasterchain(),
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
