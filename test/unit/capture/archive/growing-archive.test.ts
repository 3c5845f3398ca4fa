import { mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../../../src/capture/archive/archive-source.ts';
import { blockIdExtText } from '../../../../src/capture/block-id.ts';
import { tipAfter } from '../../../../src/capture/log-tail.ts';
import type { ChainTip, Source, SourceBlock, Step } from '../../../../src/capture/source.ts';
import { openSource } from '../../../../src/cli/compose/open-source.ts';
import { entryName, PACK_MAGIC, packEntry } from '../../../contract/source/write-pack.ts';
import { type FiledBytes, GrowingFolder, generateEntries, SLICE } from '../../../helpers/growing-packs.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

const log = { info: () => {}, warn: () => {} };
const pause = () => sleep(1);

let root: string;
let entries: readonly FiledBytes[];
/** Steps of the finished archive. */
let finished: readonly Step[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tonhouse-growing-'));
  entries = await generateEntries(join(root, 'generated'));
  const path = join(root, 'finished');
  new GrowingFolder(path, 1).write(entries);
  const source = await openArchive(path, []);
  finished = await Array.fromAsync(source.steps(null, new AbortController().signal));
  await source.close();
});
afterAll(() => rmSync(root, { recursive: true }));

function makeFolder(seed = 1): GrowingFolder {
  return new GrowingFolder(mkdtempSync(join(root, 'folder-')), seed);
}

async function follow(path: string, signal?: AbortSignal): Promise<Source> {
  const source = await openArchive(path, [], { signal }, { follow: { log, pollMs: 1 } });
  onTestFinished(() => source.close());
  return source;
}

/** Reads up to a masterchain block, and ends the source while it waits for more. */
async function readUpTo(source: Source, last: number, after: ChainTip | null = null): Promise<Step[]> {
  const stop = new AbortController();
  const steps: Step[] = [];
  for await (const step of source.steps(after, stop.signal)) {
    steps.push(step);
    if (step.mcSeqno === last) stop.abort();
  }
  return steps;
}

const idsOf = (steps: readonly Step[]) =>
  steps.map(({ mcSeqno, blocks }) => [mcSeqno, ...blocks.map(({ id }) => blockIdExtText(id))]);
const masterchainOf = (step: Step | undefined) => step?.blocks.at(-1) as SourceBlock;
const lastSeqno = () => finished.at(-1)!.mcSeqno;
const upTo = (mcSeqno: number) => entries.filter((entry) => entry.mcSeqno <= mcSeqno);
const from = (mcSeqno: number) => entries.filter((entry) => entry.mcSeqno >= mcSeqno);

/** Masterchain blocks first, as a node may write them. */
function masterchainFirst(list: readonly FiledBytes[]): FiledBytes[] {
  const isShard = ({ file }: FiledBytes) => Number(file.includes('_'));
  return list.toSorted((a, b) => a.mcSeqno - b.mcSeqno || isShard(a) - isShard(b));
}

describe('an archive that a node is still writing', () => {
  it('has more than two slices, and shard blocks in each', () => {
    expect(lastSeqno()).toBeGreaterThan(3 * SLICE);
    for (const { blocks } of finished.slice(1)) expect(blocks.length).toBeGreaterThan(1);
  });

  it.each([
    ['shard blocks first', 1, (list: readonly FiledBytes[]) => list],
    ['masterchain blocks first', 2, masterchainFirst],
  ])('gives the steps of the finished one, each once: %s', async (_name, seed, order) => {
    const folder = makeFolder(seed);
    const source = await follow(folder.path);
    expect(source.finite).toBe(false);
    const reading = readUpTo(source, lastSeqno());
    await folder.grow(order(entries), pause);
    expect(idsOf(await reading)).toEqual(idsOf(finished));
  });

  it('continues after a restart, also while an entry is cut', async () => {
    const folder = makeFolder();
    folder.write(upTo(4));
    const first = await follow(folder.path);
    const before = await readUpTo(first, 4);
    await first.close();
    const source = await follow(folder.path);
    const reading = readUpTo(source, lastSeqno(), tipAfter(masterchainOf(before.at(-1))));
    await folder.grow(from(5), pause);
    expect(idsOf([...before, ...(await reading)])).toEqual(idsOf(finished));
  });

  it('begins in mid-chain with the same blocks', async () => {
    const folder = makeFolder();
    const other = makeFolder();
    other.write(from(5));
    const whole = await openArchive(other.path, []);
    const expected = await Array.fromAsync(whole.steps(null, new AbortController().signal));
    await whole.close();
    const source = await follow(folder.path);
    const reading = readUpTo(source, lastSeqno());
    await folder.grow(masterchainFirst(from(5)), pause);
    expect(idsOf(await reading)).toEqual(idsOf(expected));
  });

  it('waits for its first block, and then describes itself', async () => {
    const folder = makeFolder();
    const source = await follow(folder.path);
    const facts = source.describe();
    await folder.grow(upTo(1), pause);
    expect(await facts).toMatchObject({ firstMcSeqno: 1, lastMcSeqno: null, blocks: null });
    expect((await facts).globalId).toBe(masterchainOf(finished[0]).header.globalId);
    expect((await facts).zerostate).not.toBeNull();
  });

  it('ends with the signal while it waits', async () => {
    const folder = makeFolder();
    folder.write(upTo(2));
    const source = await follow(folder.path);
    const stop = new AbortController();
    const steps = source.steps(null, stop.signal)[Symbol.asyncIterator]();
    await steps.next();
    await steps.next();
    const waiting = steps.next();
    await sleep(20);
    stop.abort();
    expect(await waiting).toMatchObject({ done: true });
  });

  it('ends when it is closed, and when the reading is stopped before the first block', async () => {
    const stop = new AbortController();
    const source = await follow(makeFolder().path, stop.signal);
    const facts = source.describe();
    const steps = source.steps(null, new AbortController().signal)[Symbol.asyncIterator]();
    const waiting = steps.next();
    await source.close();
    expect(await waiting).toMatchObject({ done: true });
    await expect(facts).rejects.toMatchObject({ name: 'AbortError' });
    const other = await follow(makeFolder().path, stop.signal);
    const never = other.describe();
    stop.abort();
    await expect(never).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('has signatures that are appended after the block', async () => {
    const folder = makeFolder();
    const isProof = ({ kind }: FiledBytes) => kind === 'proof';
    folder.write(upTo(2).filter((entry) => !isProof(entry)));
    const source = await follow(folder.path);
    const steps = await readUpTo(source, 2);
    const signed = steps.map((step) => ({ ...masterchainOf(step).id, prevKeyBlockSeqno: 0 }));
    expect(await source.signatures?.(signed[1]!)).toBeNull();
    const proofs = upTo(2).filter(isProof);
    await folder.grow(proofs, async () => {});
    for (const block of signed) expect(await source.signatures?.(block)).toMatchObject({ kind: 'ordinary' });
  });

  it('has signatures of packages that are begun later', async () => {
    const folder = makeFolder();
    folder.write(upTo(1));
    const source = await follow(folder.path);
    const reading = readUpTo(source, lastSeqno());
    folder.write(from(2));
    const block = masterchainOf((await reading).at(-1)).id;
    expect(await source.signatures?.({ ...block, prevKeyBlockSeqno: 0 })).toMatchObject({ kind: 'ordinary' });
  });
});

describe('a package of an archive that is followed', () => {
  const pack = (folder: GrowingFolder, number: number) =>
    join(folder.path, `archive.${String(number).padStart(5, '0')}.pack`);

  /** Reads the steps that are there, and begins to wait for the next one. */
  async function awaitNext(folder: GrowingFolder, last: number) {
    const source = await follow(folder.path);
    const steps = source.steps(null, new AbortController().signal)[Symbol.asyncIterator]();
    for (let seqno = 1; seqno <= last; seqno++) await steps.next();
    const next = steps.next();
    next.catch(() => {});
    return { next };
  }

  it.each([
    ['cut', (path: string) => truncateSync(path, readFileSync(path).length - 1)],
    ['replaced by a shorter one', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 100))],
    ['emptied', (path: string) => writeFileSync(path, '')],
  ])('is refused after it was %s', async (_name, damage) => {
    const folder = makeFolder();
    folder.write(upTo(4));
    const { next } = await awaitNext(folder, 4);
    damage(pack(folder, 3));
    await expect(next).rejects.toMatchObject({ name: 'PackError', code: 'shrunk', file: pack(folder, 3) });
  });

  it('may lose a half-written entry, which a node cuts off when it starts', async () => {
    const folder = makeFolder();
    folder.write(upTo(4));
    const path = pack(folder, 3);
    const { length } = readFileSync(path);
    writeFileSync(path, Buffer.from('8b1e0000', 'hex'), { flag: 'a' });
    const { next: waiting } = await awaitNext(folder, 4);
    await sleep(20);
    truncateSync(path, length);
    folder.write(from(5));
    expect((await waiting).value?.mcSeqno).toBe(5);
  });

  it('may be replaced by a longer one, as a copy program does', async () => {
    const folder = makeFolder();
    const complete = makeFolder();
    folder.write(upTo(3));
    complete.write(upTo(5));
    const { next } = await awaitNext(folder, 3);
    for (const file of new Set(upTo(5).map((entry) => entry.file))) {
      const copy = join(folder.path, 'copy');
      writeFileSync(copy, readFileSync(join(complete.path, file)));
      renameSync(copy, join(folder.path, file));
    }
    expect((await next).value?.mcSeqno).toBe(4);
  });

  it('is refused if its cut entry is needed and two slices follow', async () => {
    const folder = makeFolder();
    folder.write(entries.filter(({ mcSeqno }) => mcSeqno < 4 || mcSeqno >= 2 * SLICE));
    writeFileSync(pack(folder, 3), Buffer.from('8b1e', 'hex'), { flag: 'a' });
    const { next } = await awaitNext(folder, 3);
    await expect(next).rejects.toMatchObject({ code: 'truncated', file: pack(folder, 3) });
  });

  it('is missing if two slices follow it', async () => {
    const folder = makeFolder();
    folder.write(entries.filter(({ mcSeqno }) => mcSeqno < SLICE || mcSeqno >= 2 * SLICE));
    const { next } = await awaitNext(folder, 2);
    await expect(next).rejects.toMatchObject({ name: 'ChainGapError', missing: 3 });
  });
});

it.each(['localnet', 'files:/tmp', 'archive:/tmp,liteserver'])('%s cannot be followed', async (spec) => {
  await expect(openSource(spec, { follow: { log } })).rejects.toThrow(/--follow needs archive:PATH/);
});

describeWithData('a followed archive that begins in mid-chain', (data) => {
  it('takes the first step when the blocks are there that it commits', async () => {
    const packs = await openArchive(join(data, 'blocks/packs'), []);
    const steps = await Array.fromAsync(packs.steps(null, new AbortController().signal));
    await packs.close();
    const at = steps.findIndex(({ mcSeqno, blocks }) => mcSeqno > 1 && blocks.length > 2);
    const [parent, ...others] = steps[at]!.blocks;
    const { path } = makeFolder();
    const write = (blocks: readonly SourceBlock[]) =>
      writeFileSync(
        join(path, 'archive.00000.pack'),
        Buffer.concat(blocks.map(({ id, boc }) => packEntry(entryName('block', id, '_'), boc))),
        { flag: 'a' },
      );
    writeFileSync(join(path, 'archive.00000.pack'), PACK_MAGIC);
    write(others);
    const source = await follow(path);
    const first = source.steps(null, new AbortController().signal)[Symbol.asyncIterator]().next();
    await sleep(20);
    write([parent!, ...steps[at + 1]!.blocks]);
    expect(idsOf([(await first).value as Step])).toEqual(idsOf([steps[at]!]));
  });
});
