import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shardHex } from '../../src/capture/block-id.ts';
import { type CaptureOptions, runCapture } from '../../src/capture/capture-stage.ts';
import { readStateFile } from '../../src/capture/states.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import type { Bus, LogRecord } from '../../src/log/port.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { stepsOf } from '../contract/source/real-chain.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const codec = new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../schemas')));
const identity = { epochSize: 20, lanes: 3 };
const MAINNET = 'mainnet';

const PRIVATE_A_STARTS =
  '0:4000000000000000=108000000,0:c000000000000000=107000000,-1:8000000000000000=109000000';

describeWithData('capture', (data) => {
  const packs = `archive:${join(data, 'blocks/packs')}`;
  const genesis = `files:${join(data, 'blocks/mainnet-genesis-0001')}`;
  const privateA = `files:${join(data, 'blocks/private-a')}`;
  const states = ['mainnet_zerostate_-1', 'mainnet_zerostate_0'].map((name) =>
    join(data, 'accounts/states', `${name}.boc`),
  );
  const cleanUp: (() => Promise<unknown>)[] = [];
  let folder: string;
  let bus: Bus;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tonhouse-capture-'));
    cleanUp.push(() => rm(folder, { recursive: true }));
    bus = await openEmbeddedBus({ directory: join(folder, 'log') });
    cleanUp.push(() => bus.close());
  });
  afterEach(async () => {
    for (const clean of cleanUp.splice(0).reverse()) await clean();
  });

  async function capture(spec: string, options: Partial<CaptureOptions> & { isolated?: boolean } = {}) {
    const { isolated = false, ...rest } = options;
    const source = await openSource(spec, { isolated });
    try {
      return await runCapture({
        source,
        bus,
        codec,
        identity,
        owner: 'test',
        signal: new AbortController().signal,
        log: { info: () => {}, warn: () => {} },
        ...rest,
      });
    } finally {
      await source.close();
    }
  }

  /** All records by position, as any reader of the lanes would put them together. */
  async function records(from: Bus = bus): Promise<LogRecord[]> {
    const found: LogRecord[] = [];
    for (const { lane, next } of await from.bounds('raw-blocks')) {
      let at = 0;
      while (at < next) {
        const read = await from.read('raw-blocks', lane, at, { records: 1000, bytes: 1e9 });
        expect(read.map(({ offset }) => offset)).toEqual(read.map((_, i) => at + i));
        found.push(...read);
        at = read.at(-1)!.offset + 1;
      }
    }
    return found.sort((a, b) => a.position - b.position || a.offset - b.offset);
  }

  /** Contents of a log, in a form that is compared quickly. */
  const summary = (found: readonly LogRecord[]) =>
    found.map(({ key, lane, offset, value }) => `${key} ${lane}/${offset} ${hash('sha256', value)}`);
  const keysOf = (found: readonly LogRecord[]) => found.map(({ key }) => key);
  async function sourceKeys(spec: string): Promise<string[]> {
    const source = await openSource(spec);
    const steps = await stepsOf(source);
    await source.close();
    return steps.flatMap(({ blocks }) =>
      blocks.map(({ id }) => `(${id.workchain},${shardHex(id.shard)},${id.seqno})`),
    );
  }

  it('appends every step of an archive, with its states first', async () => {
    const result = await capture(packs, {
      states: await Promise.all(states.map((file) => readStateFile(file))),
    });
    expect(result).toEqual({
      firstMcSeqno: 0,
      lastMcSeqno: 99,
      blocks: 299,
      states: 2,
      deadLetters: 0,
      network: MAINNET,
      resumedFrom: null,
    });
    const log = await records();
    expect(keysOf(log).slice(2)).toEqual(await sourceKeys(genesis));
    expect(
      log.slice(0, 2).map(({ headers, position }) => [headers.kind, headers.workchain, position]),
    ).toEqual([
      ['state', '-1', 0],
      ['state', '0', 0],
    ]);
    for (const { value, key, headers, lane, epoch, position, endsStep } of log) {
      const { kind, value: datum } = codec.decode(value);
      expect(kind).toBe(headers.kind === 'state' ? 'raw-state' : 'raw-block');
      expect(`(${datum.workchain},${shardHex(datum.shard)},${datum.seqno})`).toBe(key);
      expect(Buffer.from(datum.root_hash).toString('hex')).toBe(headers.root_hash);
      expect([datum.network, Number(datum.mc_seqno)]).toEqual([MAINNET, position]);
      expect([epoch, lane]).toEqual([Math.floor(position / 20), Math.floor(position / 20) % 3]);
      if (headers.kind === 'block') expect(endsStep).toBe(headers.workchain === '-1');
    }
    expect(await bus.identity()).toMatchObject({
      network: MAINNET,
      id: expect.stringMatching(/^17a3a929.*:5e994fcf/),
      facts: { continuity: 'chain', global_id: '-239', start_lt: '0' },
    });
  });

  it('finds nothing new in what is there, from whichever source', async () => {
    await capture(packs);
    const before = summary(await records());
    expect(await capture(genesis)).toMatchObject({ blocks: 0, firstMcSeqno: null, resumedFrom: 99 });
    expect(summary(await records())).toEqual(before);
  });

  it('finds nothing new in a source that ends below', async () => {
    await capture(packs);
    const part = await someOfGenesis((seqno) => seqno <= 40);
    expect(await capture(part)).toMatchObject({ blocks: 0, resumedFrom: 99 });
  });

  /** A folder with the masterchain blocks that are wanted and all shard blocks. */
  async function someOfGenesis(wanted: (mcSeqno: number) => boolean): Promise<string> {
    const part = await mkdtemp(join(folder, 'part-'));
    const from = join(data, 'blocks/mainnet-genesis-0001');
    for (const name of await readdir(from)) {
      const seqno = /^-1_.*_(\d+)\.boc$/.exec(name)?.[1];
      if (seqno === undefined || wanted(Number(seqno))) await copyFile(join(from, name), join(part, name));
    }
    return `files:${part}`;
  }

  it('continues where another source ended', async () => {
    expect(await capture(await someOfGenesis((seqno) => seqno <= 40))).toMatchObject({ lastMcSeqno: 40 });
    expect(await capture(packs)).toMatchObject({ firstMcSeqno: 41, lastMcSeqno: 99, resumedFrom: 40 });
    expect(keysOf(await records())).toEqual(await sourceKeys(genesis));
  });

  it('continues after states without blocks', async () => {
    const stop = new AbortController();
    const given = {
      states: await Promise.all(states.map((file) => readStateFile(file))),
      signal: stop.signal,
    };
    await capture(packs, { ...given, batch: { bytes: 1, ms: 0 }, onProgress: () => stop.abort() });
    expect((await records()).map(({ headers }) => headers.kind)).toEqual(['state', 'state']);
    expect(await capture(packs)).toMatchObject({ firstMcSeqno: 1, blocks: 299, states: 0, resumedFrom: 0 });
  });

  it('starts from the states in the folder of the blocks', async () => {
    const source = await someOfGenesis(() => true);
    for (const [index, state] of states.entries())
      await copyFile(state, join(source.slice('files:'.length), `${index}.boc`));
    expect(await capture(source)).toMatchObject({ firstMcSeqno: 0, blocks: 299, states: 2 });
    expect(await bus.identity()).toMatchObject({ network: MAINNET, facts: { start_lt: '0' } });
  });

  it('names the gap between the log and a source that begins later', async () => {
    await capture(await someOfGenesis((seqno) => seqno <= 40));
    await expect(capture(await someOfGenesis((seqno) => seqno >= 60))).rejects.toMatchObject({
      name: 'ChainGapError',
      missing: 41,
      next: 60,
    });
    expect(await capture(packs)).toMatchObject({ firstMcSeqno: 41 });
  });

  it('keeps the blocks before a missing block, and continues when it is there', async () => {
    const part = await someOfGenesis(() => true);
    const gone = join(part.slice('files:'.length), '0_4000000000000000_52.boc');
    const bytes = await readFile(gone);
    await rm(gone);
    await expect(capture(part)).rejects.toMatchObject({ name: 'MissingBlockError' });
    expect((await records()).at(-1)?.position).toBe(55);
    await writeFile(gone, bytes);
    expect(await capture(part)).toMatchObject({ firstMcSeqno: 56, lastMcSeqno: 99 });
    expect(keysOf(await records())).toEqual(await sourceKeys(genesis));
  });

  it('leaves a log free if the source does not continue after the states', async () => {
    const gap = await someOfGenesis((seqno) => seqno >= 2);
    const zerostates = await Promise.all(states.map((file) => readStateFile(file)));
    await expect(capture(gap, { states: zerostates })).rejects.toMatchObject({ missing: 1, next: 2 });
    const masterchain2659 = join(data, 'accounts/states/mainnet_-1_8000000000000000_2659.boc');
    const behind = { network: MAINNET, states: [await readStateFile(masterchain2659)] };
    const source = `files:${join(data, 'blocks/mainnet-mc-2660')}`;
    // The shard blocks of this set are not there: the first step cannot be complete.
    await expect(capture(source, behind)).rejects.toMatchObject({ name: 'MissingBlockError' });
    expect(await bus.identity()).toBeNull();
    expect(await records()).toEqual([]);
  });

  it('starts in mid-chain on a declared network only', async () => {
    await expect(capture(privateA)).rejects.toMatchObject({ name: 'NetworkUndeclaredError' });
    expect(await bus.identity()).toBeNull();
    const declared = `private_a=${'ab'.repeat(32)}:${'cd'.repeat(32)}`;
    expect(await capture(privateA, { network: declared })).toMatchObject({
      firstMcSeqno: 100,
      lastMcSeqno: 199,
      blocks: 291,
      network: 'private_a',
    });
    expect(await bus.identity()).toMatchObject({
      network: 'private_a',
      facts: { start_lt: PRIVATE_A_STARTS },
    });
    expect(await capture(privateA)).toMatchObject({ blocks: 0, resumedFrom: 199 });
  });

  it.each<[string, string, Partial<CaptureOptions> & { isolated?: boolean }]>([
    ['another network by its blocks', 'private-a', {}],
    ['another network by its global_id', 'prelaunch-2019', {}],
    ['another label', 'mainnet-genesis-0001', { network: 'private_a' }],
    ['another shape', 'mainnet-genesis-0001', { identity: { ...identity, lanes: 2 } }],
    ['isolated blocks', 'mainnet-single', { isolated: true }],
  ])('refuses %s in a log of mainnet', async (_, set, options) => {
    await capture(packs);
    const before = summary(await records());
    await expect(capture(`files:${join(data, 'blocks', set)}`, options)).rejects.toMatchObject({
      name: expect.stringMatching(/^(ForeignBlockError|IdentityMismatchError)$/),
    });
    expect(summary(await records())).toEqual(before);
  });

  it('reports that a folder without a masterchain has no chain', async () => {
    const spec = `files:${join(data, 'blocks/mainnet-shard-571525')}`;
    await expect(capture(spec)).rejects.toMatchObject({ name: 'EmptySourceError' });
  });

  describe('isolated', () => {
    it('takes unrelated blocks, and puts what it cannot read to the dead letters once', async () => {
      const mixed = await mkdtemp(join(folder, 'mixed-'));
      for (const set of ['mainnet-single', 'testnet']) {
        for (const name of await readdir(join(data, 'blocks', set))) {
          if (name.endsWith('.boc')) await copyFile(join(data, 'blocks', set, name), join(mixed, name));
        }
      }
      await writeFile(
        join(mixed, 'cut.boc'),
        (await readFile(join(mixed, '-1_8000000000000000_814551.boc'))).subarray(0, 99),
      );
      const result = await capture(`files:${mixed}`, { isolated: true, network: 'sample' });
      expect(result).toMatchObject({ blocks: 36, deadLetters: 1, network: 'sample' });
      expect(await bus.identity()).toMatchObject({
        id: 'isolated:sample',
        facts: { continuity: 'isolated', global_id: 'mixed', start_lt: '18446744073709551615' },
      });
      const [letter] = await bus.read('dead-letters', 0, 0, { records: 10, bytes: 1e6 });
      expect(letter?.headers).toMatchObject({
        stage: 'capture',
        code: 'truncated',
        origin: join(mixed, 'cut.boc'),
      });
      expect(letter?.value).toHaveLength(99);
      expect(await capture(`files:${mixed}`, { isolated: true })).toMatchObject({
        blocks: 0,
        deadLetters: 0,
      });
    });

    it('refuses a block whose place has passed', async () => {
      await capture(`isolated:${join(data, 'blocks/mainnet-single')}`);
      await expect(capture(`isolated:${join(data, 'blocks/mainnet-mc-2660')}`)).rejects.toMatchObject({
        name: 'BelowTailError',
      });
    });
  });

  it('stops between two appends, and continues there', async () => {
    const stop = new AbortController();
    const result = await capture(packs, {
      signal: stop.signal,
      batch: { bytes: 30_000, ms: 200 },
      onProgress: ({ steps }) => steps > 20 && stop.abort(),
    });
    expect(result.lastMcSeqno).toBeLessThan(99);
    expect((await records()).at(-1)?.position).toBe(result.lastMcSeqno);
    expect(await capture(packs)).toMatchObject({ firstMcSeqno: result.lastMcSeqno! + 1, lastMcSeqno: 99 });
    expect(keysOf(await records())).toEqual(await sourceKeys(genesis));
  });

  it('lets one writer at a time', async () => {
    await capture(packs);
    const writer = await bus.writer('raw-blocks', 'another', 60_000);
    await expect(capture(packs)).rejects.toMatchObject({ name: 'LeaseHeldError', owner: 'another' });
    await writer.release();
    expect(await capture(packs)).toMatchObject({ blocks: 0 });
  });

  it('stops when its lease is taken over, and leaves the log whole', async () => {
    const taken = capture(packs, {
      owner: 'same',
      batch: { bytes: 1, ms: 200 },
      onProgress: ({ steps }) => steps === 3 && void bus.writer('raw-blocks', 'same', 60_000),
    });
    await expect(taken).rejects.toMatchObject({ name: 'FencedError' });
    const keys = await sourceKeys(genesis);
    const log = keysOf(await records());
    expect(log).toEqual(keys.slice(0, log.length));
  });

  it('leaves a prefix of whole steps when it is killed, and ends with everything once', async () => {
    await bus.close();
    const directory = join(folder, 'killed');
    const keys = await sourceKeys(genesis);
    // Seeded: the same kills in every run, at the 1st to 12th append of each child.
    let seed = 20_261_121;
    let kills = 0;
    for (let ended = false; !ended; ) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      ended = await captureUntilAppend(directory, kills < 5 ? 1 + (seed % 12) : Number.POSITIVE_INFINITY);
      if (!ended) kills++;
      bus = await openEmbeddedBus({ directory });
      const log = await records(bus);
      expect(keysOf(log)).toEqual(keys.slice(0, log.length));
      expect(log.at(-1)?.endsStep ?? true).toBe(true);
      await bus.close();
      // The dead child's lease must lapse.
      await new Promise((done) => setTimeout(done, 250));
      if (ended) expect(log).toHaveLength(299);
    }
    expect(kills).toBe(5);
  });

  /** Runs a child that kills itself at its n-th append. Returns true if it came to its end. */
  async function captureUntilAppend(directory: string, n: number): Promise<boolean> {
    const args = [directory, packs, String(n)];
    const child = fork(resolve(import.meta.dirname, 'capture-child.ts'), args, { silent: true });
    cleanUp.push(async () => child.kill('SIGKILL'));
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, 'exit');
    if (code !== 0 && code !== null) throw new Error(`the child failed with ${code}: ${errors}`);
    return code === 0;
  }
});
