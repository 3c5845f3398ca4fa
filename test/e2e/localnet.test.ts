import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shardHex } from '../../src/capture/block-id.ts';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import {
  type LocalnetOptions,
  type LocalnetSource,
  openLocalnetSource,
} from '../../src/localnet/localnet-source.ts';
import type { Bus } from '../../src/log/port.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { decodeState } from '../../src/ton/decode/decode-state.ts';
import { Kernel } from '../../src/ton/kernel/kernel.ts';
import { never, stepsOf } from '../contract/source/real-chain.ts';
import { validateBlock } from '../helpers/validate/validate-block.ts';
import { columnDigests } from './kernel-digests.ts';

const codec = new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../schemas')));
const MADE_TO_ORDER: Partial<LocalnetOptions> = {
  pace: { blockMs: 0, idleMs: null, onDemand: true },
  secondsPerBlock: 5,
  genesisUtime: 1_750_000_000,
};

describe('localnet', () => {
  const cleanUp: (() => unknown)[] = [];
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tonhouse-localnet-'));
    cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  });
  afterEach(async () => {
    for (const clean of cleanUp.splice(0).reverse()) await clean();
  });

  async function openBus(name = 'log'): Promise<Bus> {
    const bus = await openEmbeddedBus({ directory: join(folder, name) });
    cleanUp.push(() => bus.close());
    return bus;
  }

  async function open(options: Partial<LocalnetOptions> = {}): Promise<LocalnetSource> {
    const source = await openLocalnetSource({
      directory: join(folder, 'localnet'),
      ...MADE_TO_ORDER,
      ...options,
    });
    cleanUp.push(() => source.close());
    return source;
  }

  /** Captures while `use` acts on the chain; stops when it is done. */
  async function capture(bus: Bus, source: LocalnetSource, use: () => Promise<unknown>) {
    const stop = new AbortController();
    let appended = 0;
    const running = runCapture({
      source,
      bus,
      codec,
      identity: { epochSize: 20, lanes: 3 },
      owner: 'test',
      sessionMs: 1_000,
      batch: { bytes: 1, ms: 0 },
      signal: stop.signal,
      onProgress: ({ mcSeqno }) => {
        appended = mcSeqno;
      },
      log: { info: () => {}, warn: () => {} },
    });
    // A call before the chain is read is rejected: mining waits for it.
    await Promise.race([running, source.control.mine(1).then(use)]);
    // The newest block is on its way to the log.
    const { mcSeqno } = await source.control.status();
    while (appended < mcSeqno) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    return running;
  }

  interface Logged {
    readonly kind: string;
    readonly boc: Uint8Array;
    readonly key: string;
  }

  async function logged(bus: Bus): Promise<Logged[]> {
    const found: (Logged & { position: number; offset: number })[] = [];
    for (const { lane, next } of await bus.bounds('raw-blocks')) {
      for (let at = 0; at < next; ) {
        const records = await bus.read('raw-blocks', lane, at, { records: 1000, bytes: 1e9 });
        for (const { key, value, headers, position, offset } of records)
          found.push({ key, kind: headers.kind!, boc: codec.decode(value).value.boc, position, offset });
        at = records.at(-1)!.offset + 1;
      }
    }
    return found.sort((a, b) => a.position - b.position || a.offset - b.offset);
  }

  /** The log is one chain from its zerostates on: proved by the source that reads files of unknown chains. */
  async function expectOneChain(records: readonly Logged[]): Promise<number> {
    const files = await mkdtemp(join(folder, 'files-'));
    for (const { key, boc } of records) await writeFile(join(files, `${key}.boc`), boc);
    const source = await openSource(`files:${files}`);
    cleanUp.push(() => source.close());
    const { states } = await source.describe();
    expect(states).toHaveLength(2);
    const steps = await stepsOf(source);
    const ids = steps.flatMap(({ blocks }) =>
      blocks.map(({ id }) => `(${id.workchain},${shardHex(id.shard)},${id.seqno})`),
    );
    expect(records.slice(0, 2).map(({ kind }) => kind)).toEqual(['state', 'state']);
    expect(ids).toEqual(records.slice(2).map(({ key }) => key));
    return steps.at(-1)!.mcSeqno;
  }

  /** Valid, and the same rows by reader and kernel, without anything that knows localnet. */
  async function expectDecoded(records: readonly Logged[]): Promise<void> {
    const kernel = await Kernel.load();
    const [read, computed] = [new BaseColumns(), new BaseColumns()];
    for (const { kind, boc, key } of records) {
      if (kind === 'state') {
        expect(decodeState(boc, 0, new BaseColumns()).accounts).toBeGreaterThan(1);
        continue;
      }
      expect([key, validateBlock(boc).violations]).toEqual([key, []]);
      const header = readBlockHeader(boc);
      const meta = { ...header, mcSeqno: 1 };
      decodeBlock(boc, meta, read, { verify: 'root', oldStatesBelowLt: 0n });
      kernel.decodeBlock(boc, meta, computed, { verify: 'root', oldStatesBelowLt: 0n });
    }
    expect(columnDigests(computed)).toEqual(columnDigests(read));
  }

  it('publishes zerostates and then steps that every reader takes, on demand', async () => {
    const bus = await openBus();
    const source = await open({ shards: 2, traffic: 5 });
    const result = await capture(bus, source, async () => {
      const { faucet, wallets } = source.control.info;
      expect(faucet.secretKey).toHaveLength(128);
      expect((await source.control.fund(wallets[0]!.address, 10n ** 9n, 'hello')).ok).toBe(true);
      expect(await source.control.mine(6)).toBe(7);
      await source.control.warp(86_400);
      expect(await source.control.mine(2)).toBe(9);
    });
    expect(result).toMatchObject({ firstMcSeqno: 0, states: 2 });
    const records = await logged(bus);
    expect(await expectOneChain(records)).toBe(9);
    await expectDecoded(records);
    expect(await bus.identity()).toMatchObject({ facts: { global_id: '-1000', start_lt: '0' } });
  });

  it("continues after the log's end after an orderly stop, and knows its accounts", async () => {
    const bus = await openBus();
    const to = { workchain: 0, address: new Uint8Array(32).fill(5) };
    const first = await open();
    await capture(bus, first, async () => {
      await first.control.fund(to, 10n ** 9n);
      await first.control.mine(3);
    });
    await first.close();
    const second = await open();
    const result = await capture(bus, second, async () => {
      expect((await second.control.account(to)).shardAccount).not.toBe(null);
      await second.control.mine(2);
    });
    expect(result.resumedFrom).toBe(4);
    expect(await expectOneChain(await logged(bus))).toBe(7);
  });

  it("continues after the log's end after every kill", { timeout: 300_000 }, async () => {
    const directory = await mkdtemp(join(folder, 'killed-'));
    for (const [appends, ms] of [
      [2, 0],
      [1, 70],
      [3, 30],
    ] as const)
      await killAfter(directory, appends, ms);
    const bus = await openEmbeddedBus({ directory: join(directory, 'log') });
    cleanUp.push(() => bus.close());
    const records = await logged(bus);
    expect(await expectOneChain(records)).toBeGreaterThan(3);
    await expectDecoded(records);
  });

  /** Runs a capture in a process of its own and kills it some time after so many appends. */
  async function killAfter(directory: string, appends: number, ms: number): Promise<void> {
    const child = fork(join(import.meta.dirname, 'localnet-child.ts'), [directory], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    cleanUp.push(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    // The pipe stays open: a child that cannot write would end.
    const enough = new Promise<void>((resolve) => {
      let output = '';
      child.stdout!.on('data', (text) => {
        output += text;
        if (output.split('\n').length > appends) resolve();
      });
    });
    await Promise.race([enough, exited]);
    await new Promise((resolve) => setTimeout(resolve, ms));
    expect(child.exitCode).toBe(null);
    child.kill('SIGKILL');
    await exited;
  }

  it('makes the same masterchain from the same seed', async () => {
    const run = async (name: string) => {
      const source = await open({ directory: join(folder, name), shards: 3, traffic: 5 });
      void source.control.mine(6);
      for await (const { mcSeqno, blocks } of source.steps(null, never))
        if (mcSeqno === 6) return Buffer.from(blocks.at(-1)!.id.fileHash).toString('hex');
      return 'none';
    };
    expect(await run('a')).toBe(await run('b'));
  });

  it('reports what is wrong with its folder', async () => {
    await (await open()).close();
    await expect(open({ seed: 'other' })).rejects.toMatchObject({
      name: 'EngineCallError',
      engineError: 'LocalnetStateError',
    });
  });
});
