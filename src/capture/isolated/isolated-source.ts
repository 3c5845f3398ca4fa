import { extname } from 'node:path';

import { type FileReading, listFiles } from '../../platform/files/list-files.ts';
import { OpenFiles } from '../archive/open-files.ts';
import { describePartial, type PackEntries, readPackEntries } from '../archive/pack-entries.ts';
import { type BlockEntry, readEntryBlock, readEntryBytes } from '../archive/pack-entry.ts';
import { PackError } from '../archive/pack-error.ts';
import { compareBlockIds, isMasterchain, sameBlock } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import { scanFiles } from '../files/scan-folder.ts';
import { readSourceBlock } from '../read-block.ts';
import { ClaimedBlocks } from '../rivals/claimed-blocks.ts';
import type { Claim } from '../rivals/rival-block-error.ts';
import type { BadEntry, ChainTip, Source, SourceBlock, SourceFacts, SourceState, Step } from '../source.ts';
import { distinctStates } from '../states.ts';

/** Location of bytes. Many locations are kept in memory, the bytes never. */
interface Place {
  readonly file: string;
  readonly dataOffset: number;
  readonly length: number;
}

/** A block and where to read it again. */
interface Located extends Claim, Place {
  readonly mcSeqno: number;
  readonly globalId: number;
}

/** Bytes that are no block, or none that is taken. */
interface BadPlace extends Place {
  readonly origin: string;
  readonly error: Error;
}

/** Bytes that go with a complaint about them, at most: a package may be as large as a disk. */
const COMPLAINT_BYTES = 1 << 24;

interface Collection {
  /** By masterchain seqno, workchain, shard and seqno. */
  readonly blocks: readonly Located[];
  readonly states: readonly SourceState[];
  readonly bad: readonly BadPlace[];
  readonly facts: SourceFacts;
}

/**
 * Unrelated blocks from a folder of files and packages, each independent. A masterchain block is placed at its own
 * seqno, a shard block at the masterchain block that it refers to, since the committing one is unknown.
 */
export async function openIsolated(path: string, reading: FileReading = {}): Promise<Source> {
  const paths = await listFiles(path, reading);
  const files = new OpenFiles(reading.signal);
  let collection: Promise<Collection> | null = null;
  const read = () => {
    collection ??= collect(paths, files, reading);
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
  const seqnos = new Set([...blocks, ...states].map(({ mcSeqno }) => mcSeqno));
  const byMcSeqno = Map.groupBy(blocks, ({ mcSeqno }) => mcSeqno);
  let last = Math.max(after, 0);
  for (const mcSeqno of [...seqnos].filter((seqno) => seqno > after).sort((a, b) => a - b)) {
    if (signal.aborted) return;
    const read: SourceBlock[] = [];
    for (const located of byMcSeqno.get(mcSeqno) ?? []) read.push(await rereadBlock(located, files));
    const here = states.filter((state) => state.mcSeqno === mcSeqno);
    yield { mcSeqno, states: here, blocks: read, isolated: true };
    last = mcSeqno;
  }
  for (const place of bad) {
    if (signal.aborted) return;
    yield { mcSeqno: last, states: [], blocks: [], isolated: true, bad: [await readBad(place, files)] };
  }
}

async function rereadBlock(located: Located, files: OpenFiles): Promise<SourceBlock> {
  const boc = await files.read(located.file, located.dataOffset, located.length);
  const block = readSourceBlock(boc, located.origin);
  // The file may have been replaced since the folder was read.
  if (!sameBlock(block.id, located.id))
    throw new ChangedBlockError(located.id, 'the first reading', block.id, located.origin);
  return block;
}

async function readBad(
  { file, dataOffset, length, origin, error }: BadPlace,
  files: OpenFiles,
): Promise<BadEntry> {
  const wanted = Math.min(length, COMPLAINT_BYTES);
  const bytes = wanted === 0 ? new Uint8Array() : (await files.read(file, dataOffset, wanted)).slice();
  return { origin, bytes, error };
}

async function collect(
  paths: readonly string[],
  files: OpenFiles,
  reading: FileReading,
): Promise<Collection> {
  const blocks = new ClaimedBlocks<Located>();
  const states: SourceState[] = [];
  const bad: BadPlace[] = [];
  const ignored: string[] = [];
  const packs = paths.filter((path) => extname(path) === '.pack');
  const single = paths.filter((path) => extname(path) !== '.pack');
  for await (const found of scanFiles(single, reading)) {
    const { file, size } = found;
    if (found.kind === 'block') blocks.add(locate(found.block, file, 0));
    else if (found.kind === 'state') states.push(found.state);
    else if (found.kind === 'other') ignored.push(`${file}: ${found.reason}`);
    else bad.push({ origin: file, file, dataOffset: 0, length: size, error: found.error });
  }
  for (const pack of packs) await collectPack(pack, reading, { files, blocks, bad });
  for (const { claim, error } of await blocks.settle((located) => rereadBlock(located, files)))
    bad.push({ ...claim, error });
  const ordered = [...blocks.taken()].sort((a, b) => a.mcSeqno - b.mcSeqno || compareBlockIds(a.id, b.id));
  return {
    blocks: ordered,
    states: distinctStates(states),
    bad,
    facts: describe(ordered, distinctStates(states), blocks.duplicates, ignored),
  };
}

function locate({ id, header, boc, origin }: SourceBlock, file: string, dataOffset: number): Located {
  const mcSeqno = isMasterchain(id) ? id.seqno : (header.masterRef?.seqno ?? 0);
  return { id, mcSeqno, globalId: header.globalId, origin, file, dataOffset, length: boc.length };
}

/** What is collected, and the files that it is read from. */
interface Collecting {
  readonly files: OpenFiles;
  readonly blocks: ClaimedBlocks<Located>;
  readonly bad: BadPlace[];
}

async function collectPack(
  pack: string,
  reading: FileReading,
  { files, blocks, bad }: Collecting,
): Promise<void> {
  const complain = (error: PackError) => {
    const origin = `${pack} at byte ${error.offset}`;
    bad.push({ origin, file: pack, dataOffset: error.offset, length: COMPLAINT_BYTES, error });
  };
  const found = await tryEntries(pack, reading);
  if (found instanceof PackError) return complain(found);
  for (const entry of found.blocks) {
    const block = await tryRead(entry, files);
    if (!(block instanceof PackError)) blocks.add(locate(block, pack, entry.dataOffset));
    else bad.push({ ...entry, origin: `${entry.file} at byte ${entry.offset}`, error: block });
  }
  for (const partial of found.partial)
    complain(new PackError('truncated', partial, describePartial(partial)));
}

async function tryEntries(pack: string, reading: FileReading): Promise<PackEntries | PackError> {
  try {
    return await readPackEntries([pack], true, reading);
  } catch (error) {
    if (error instanceof PackError) return error;
    throw error;
  }
}

async function tryRead(entry: BlockEntry, files: OpenFiles): Promise<SourceBlock | PackError> {
  try {
    return readEntryBlock(entry, await readEntryBytes(files, entry));
  } catch (error) {
    if (error instanceof PackError) return error;
    throw error;
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
