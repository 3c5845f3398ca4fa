import { extname } from 'node:path';
import { describePartial, type GroupIndex, indexPacks } from '../archive/group-index.ts';
import { OpenFiles } from '../archive/open-files.ts';
import { type BlockEntry, readEntryBlock, readEntryBytes } from '../archive/pack-entry.ts';
import { PackError } from '../archive/pack-error.ts';
import { type BlockIdExt, blockIdText, compareBlockIds, isMasterchain, sameBlock } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import { listFiles, scanFiles } from '../files/scan-folder.ts';
import { readSourceBlock } from '../read-block.ts';
import type { BadEntry, ChainTip, Source, SourceBlock, SourceFacts, SourceState, Step } from '../source.ts';
import { distinctStates } from '../states.ts';

/** A block and where to read it again. */
interface Located {
  readonly id: BlockIdExt;
  readonly mcSeqno: number;
  readonly globalId: number;
  readonly origin: string;
  readonly file: string;
  readonly dataOffset: number;
  readonly length: number;
}

interface Collection {
  /** By masterchain seqno, workchain, shard and seqno. */
  readonly blocks: readonly Located[];
  readonly states: readonly SourceState[];
  readonly bad: readonly BadEntry[];
  readonly facts: SourceFacts;
}

/**
 * Unrelated blocks from a folder of files and packages: each stands for itself. A masterchain block is placed at its own
 * seqno, a shard block at the masterchain block that it was made under, since which one committed it is not known.
 */
export async function openIsolated(path: string): Promise<Source> {
  const paths = await listFiles(path);
  const files = new OpenFiles();
  let collection: Promise<Collection> | null = null;
  const read = () => {
    collection ??= collect(paths, files);
    return collection;
  };
  return {
    name: `isolated:${path}`,
    finite: true,
    continuity: 'isolated',
    describe: async () => (await read()).facts,
    async *steps(after: ChainTip | null, signal: AbortSignal): AsyncGenerator<Step> {
      yield* isolatedSteps(await read(), files, after?.mcSeqno ?? -1, signal);
    },
    close: () => files.close(),
  };
}

async function* isolatedSteps(
  { blocks, states, bad }: Collection,
  files: OpenFiles,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let rest = bad;
  const seqnos = new Set([...blocks, ...states].map(({ mcSeqno }) => mcSeqno));
  const byMcSeqno = Map.groupBy(blocks, ({ mcSeqno }) => mcSeqno);
  for (const mcSeqno of [...seqnos].filter((seqno) => seqno > after).sort((a, b) => a - b)) {
    if (signal.aborted) return;
    const read: SourceBlock[] = [];
    for (const located of byMcSeqno.get(mcSeqno) ?? []) read.push(await readAgain(located, files));
    const here = states.filter((state) => state.mcSeqno === mcSeqno);
    yield { mcSeqno, states: here, blocks: read, isolated: true, bad: rest };
    rest = [];
  }
  if (rest.length > 0)
    yield { mcSeqno: Math.max(after, 0), states: [], blocks: [], isolated: true, bad: rest };
}

async function readAgain(located: Located, files: OpenFiles): Promise<SourceBlock> {
  const boc = await files.read(located.file, located.dataOffset, located.length);
  const block = readSourceBlock(boc, located.origin);
  // The file may have been replaced since the folder was read.
  if (!sameBlock(block.id, located.id))
    throw new ChangedBlockError(located.id, 'the first reading', block.id, located.origin);
  return block;
}

async function collect(paths: readonly string[], files: OpenFiles): Promise<Collection> {
  const blocks = new BlockSet();
  const states: SourceState[] = [];
  const bad: BadEntry[] = [];
  const ignored: string[] = [];
  const packs = paths.filter((path) => extname(path) === '.pack');
  for await (const found of scanFiles(paths.filter((path) => extname(path) !== '.pack'))) {
    const { file, bytes } = found;
    if (found.kind === 'block') blocks.add(found.block, file, 0);
    else if (found.kind === 'state') states.push(found.state);
    else if (found.kind === 'other') ignored.push(`${file}: ${found.reason}`);
    else bad.push({ origin: file, bytes, error: found.error });
  }
  for (const pack of packs) await collectPack(pack, files, blocks, bad);
  const ordered = blocks.ordered();
  return {
    blocks: ordered,
    states: distinctStates(states),
    bad,
    facts: describe(ordered, distinctStates(states), blocks.duplicates, ignored),
  };
}

/** Bytes of a package that go with a complaint about it: a package may be as large as a disk. */
const COMPLAINT_BYTES = 1 << 24;

async function collectPack(pack: string, files: OpenFiles, blocks: BlockSet, bad: BadEntry[]): Promise<void> {
  const complain = async (error: PackError) => {
    const bytes = await files.read(pack, error.offset, COMPLAINT_BYTES);
    bad.push({ origin: `${pack} at byte ${error.offset}`, bytes: bytes.slice(), error });
  };
  const index = await tryIndex(pack);
  if (index instanceof PackError) return complain(index);
  for (const entry of index.all()) {
    const bytes = await readEntryBytes(files, entry);
    const block = tryRead(entry, bytes);
    if ('error' in block) bad.push(block);
    else blocks.add(block, pack, entry.dataOffset);
  }
  for (const partial of index.partial)
    await complain(new PackError('truncated', pack, partial.offset, describePartial(partial)));
}

async function tryIndex(pack: string): Promise<GroupIndex | PackError> {
  try {
    return await indexPacks([pack], true);
  } catch (error) {
    if (error instanceof PackError) return error;
    throw error;
  }
}

function tryRead(entry: BlockEntry, bytes: Uint8Array): SourceBlock | BadEntry {
  try {
    return readEntryBlock(entry, bytes);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { origin: `${entry.file} at byte ${entry.offset}`, bytes, error };
  }
}

/** Blocks by id; the same block twice counts once, another one in its place is refused. */
class BlockSet {
  private readonly known = new Map<string, Located>();
  duplicates = 0;

  add({ id, header, boc, origin }: SourceBlock, file: string, dataOffset: number): void {
    const mcSeqno = isMasterchain(id) ? id.seqno : (header.masterRef?.seqno ?? 0);
    const located = { id, mcSeqno, globalId: header.globalId, origin, file, dataOffset, length: boc.length };
    const known = this.known.get(blockIdText(id));
    if (!known) this.known.set(blockIdText(id), located);
    else if (sameBlock(known.id, id)) this.duplicates++;
    else throw new ChangedBlockError(known.id, known.origin, id, origin);
  }

  ordered(): Located[] {
    return [...this.known.values()].sort((a, b) => a.mcSeqno - b.mcSeqno || compareBlockIds(a.id, b.id));
  }
}

function describe(
  blocks: readonly Located[],
  states: readonly SourceState[],
  duplicates: number,
  ignored: readonly string[],
): SourceFacts {
  const globalIds = new Set(blocks.map(({ globalId }) => globalId));
  return {
    firstMcSeqno: blocks[0]?.mcSeqno ?? null,
    lastMcSeqno: blocks.at(-1)?.mcSeqno ?? null,
    zerostate: null,
    globalId: globalIds.size === 1 ? [...globalIds][0]! : null,
    blocks: blocks.length,
    bytes: blocks.reduce((sum, { length }) => sum + length, 0),
    states,
    duplicates,
    ignored,
  };
}
