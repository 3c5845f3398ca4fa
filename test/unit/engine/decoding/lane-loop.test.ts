import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { BASE } from '../../../../pipelines/base.ts';
import { SeenBlocks } from '../../../../src/engine/decoding/seen-blocks.ts';
import { ProjectionDemand } from '../../../../src/engine/demand/projection-demand.ts';
import type { DecodedRange } from '../../../../src/engine/lanes/batch-builder.ts';
import { ColumnsPool } from '../../../../src/engine/lanes/columns-pool.ts';
import { type BatchSink, LaneLoop } from '../../../../src/engine/lanes/lane-loop.ts';
import type { Batch } from '../../../../src/engine/sink/batch.ts';
import type { JournalEntry, LaneLease, LogConsumer, LogRecord } from '../../../../src/log/port.ts';
import { beginBase, createBaseRows } from '../../../../src/projections/base/base-rows.ts';
import { readColumn } from '../../../../src/ton/columns/column-reader.ts';
import { lane, type RecordFacts, reader, ScriptedDecoder } from './scripted-decoder.ts';

const LEASE: LaneLease = { lane: 3, generation: 1, owner: 'test', committed: 0 };
const steps = (count: number, facts: (i: number) => Partial<RecordFacts> = () => ({})) =>
  lane(...Array.from({ length: count }, (_, i) => ({ position: i, ...facts(i) })));

/** A batch as the sink got it. */
interface Written {
  readonly range: readonly [from: number, next: number];
  readonly epoch: number;
  /** The rows, read back when the insert ended. */
  positions: number[];
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A running lane over the records: everything but the log and the store is the stage's own. */
function run(
  records: LogRecord[],
  decoder: ScriptedDecoder,
  pending: JournalEntry | null = null,
  demand?: ProjectionDemand,
  inChainOrder?: { readonly partition: number; readonly prepared: number[] },
) {
  const written: Written[] = [];
  const committed: number[] = [];
  const batches: Batch[] = [];
  const ranges: DecodedRange[] = [];
  const state = { inserting: 0, mostInserting: 0, insertMs: 0, failure: null as Error | null };
  const insert = async (batch: Batch) => {
    batches.push(batch);
    state.mostInserting = Math.max(state.mostInserting, ++state.inserting);
    const of: Written = { range: [batch.from, batch.next], epoch: batch.epoch, positions: [] };
    written.push(of);
    await sleep(state.insertMs);
    const rows = batch.tables.find(({ name }) => name === 'config_params');
    const column = rows?.columns[0] as { name: string; type: 'UInt32'; parts(): Uint8Array[] } | undefined;
    of.positions = rows && column ? readColumn(column, rows.rows) : [];
    state.inserting--;
    if (state.failure) throw state.failure;
  };
  const sink: BatchSink = {
    write: insert,
    recover: async (_entry, _journal, rebuild) => {
      await rebuild();
      await insert(await rebuild());
    },
  };
  const read = reader(records);
  const consumer = {
    group: 'test',
    pending: async () => pending,
    read: (_lane: number, from: number) => read(from),
    commit: async (_lease: LaneLease, next: number) => void committed.push(next),
    waitForData: () => sleep(5),
  } as unknown as LogConsumer;
  const base = beginBase();
  const prepare: typeof base.prepare = async (parts) => {
    inChainOrder?.prepared.push(parts.length);
    await base.prepare(parts);
  };
  const rows = { maker: { ...base, prepare }, pool: new ColumnsPool(createBaseRows, 2) };
  const seen = new SeenBlocks({ highest: async () => -1, rootHash: async () => null });
  const deadLetters = { put: async () => {} };
  const onBatch = (range: DecodedRange) => void ranges.push(range);
  const ports = {
    decoder,
    deadLetters,
    consumer,
    sink,
    beginRows: () => rows,
    definition: BASE.sink,
    batchRows: 40,
    batchMs: 0,
    demand,
    onBatch,
    ...(inChainOrder && { partition: inChainOrder.partition }),
  };
  const [stop, abort] = [new AbortController(), new AbortController()];
  const done = new LaneLoop(LEASE, seen, ports).run({ stop: stop.signal, abort: abort.signal });
  done.catch(() => {});
  const end = async () => {
    stop.abort();
    await done.catch(() => {});
  };
  stops.push(end);
  return { written, committed, batches, ranges, state, done, end };
}

/** Waits until the lane has written up to an offset. */
async function until(written: readonly Written[], next: number): Promise<void> {
  while (written.at(-1)?.range[1] !== next || written.at(-1)?.positions.length === 0) await sleep(1);
}

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

describe('LaneLoop', () => {
  it('writes every record once, in order, in batches that follow each other', async () => {
    const decoder = new ScriptedDecoder(2, 4);
    decoder.when = (chunk) => sleep([7, 1, 4][chunk % 3]);
    const { written, ranges, end } = run(steps(43), decoder);
    await until(written, 43);
    await end();
    expect(written.flatMap(({ positions }) => positions)).toEqual(upTo(43));
    expect(ranges.map(({ from }) => from)).toEqual([0, ...ranges.slice(0, -1).map(({ next }) => next)]);
    expect(decoder.held).toBe(0);
  });

  it('loads the state of the chunks that are at hand together, in chain order', async () => {
    const decoder = new ScriptedDecoder(2, 3);
    const prepared: number[] = [];
    const { written, ranges, end } = run(steps(43), decoder, null, undefined, { partition: 0, prepared });
    await until(written, 43);
    await end();
    expect(decoder.seen).toHaveLength(22);
    expect(prepared).toEqual([22]);
    expect(written.flatMap(({ positions }) => positions)).toEqual(upTo(43));
    expect(ranges.map(({ from }) => from)).toEqual([0, ...ranges.slice(0, -1).map(({ next }) => next)]);
    expect(decoder.held).toBe(0);
  });

  it('lets a batch grow while the one before is being inserted, up to its size', async () => {
    const { written, state, end } = run(steps(21), new ScriptedDecoder(1, 2));
    state.insertMs = 60;
    await until(written, 21);
    await end();
    expect(state.mostInserting).toBe(1);
    // 10 transactions a record, 40 a batch: only the last may be smaller.
    expect(written.map(({ positions }) => positions.length)).toEqual([4, 4, 4, 4, 4, 1]);
  });

  it('idles at the end of the log: new records are written as one batch, after a request', async () => {
    const records = steps(7);
    const logged = records.slice(0, 3);
    const demand = new ProjectionDemand(60_000);
    const { written, end } = run(logged, new ScriptedDecoder(1, 1), null, demand);
    await until(written, 3);
    const before = written.length;
    // The lane is at rest: it looks at the log no more.
    await sleep(20);
    logged.push(...records.slice(3));
    await sleep(20);
    expect(written.length).toBe(before);
    void demand.request();
    await until(written, 7);
    expect(written.length).toBe(before + 1);
    await end();
  });

  it('leaves a store that others make slow to them for a while: what comes meanwhile is one batch', async () => {
    const records = steps(4);
    const logged = records.slice(0, 1);
    const { written, state, end } = run(logged, new ScriptedDecoder(1, 8));
    await until(written, 1);
    state.insertMs = 1_100;
    logged.push(records[1]!);
    await until(written, 2);
    logged.push(records[2]!);
    // The lane has seen it, and nothing is being inserted.
    await sleep(50);
    logged.push(records[3]!);
    await until(written, 4);
    await end();
    expect(written.map(({ positions }) => positions)).toEqual([[0], [1], [2, 3]]);
  });

  it('writes records that come during a batch with the next one, after the idle time', async () => {
    const records = steps(6);
    const logged = records.slice(0, 2);
    const demand = new ProjectionDemand(60_000);
    const { written, state, end } = run(logged, new ScriptedDecoder(1, 8), null, demand);
    state.insertMs = 50;
    while (written.length === 0) await sleep(1);
    logged.push(...records.slice(2));
    await until(written, 2);
    await sleep(20);
    expect(written.length).toBe(1);
    void demand.request();
    await until(written, 6);
    expect(written.at(-1)?.positions).toEqual([2, 3, 4, 5]);
    await end();
  });

  it('bounds what is decoded while the store does not take it', async () => {
    const decoder = new ScriptedDecoder(1, 2);
    const { state, end } = run(steps(100), decoder);
    state.insertMs = 300;
    await sleep(150);
    // Two sets of columns of four records each, the chunk at hand, and two ahead.
    expect(decoder.seen.length).toBeLessThanOrEqual(4 + 4 + 1 + 2);
    await end();
  });

  it('never lets a batch cross an epoch, or end within a step', async () => {
    const facts = (i: number) => ({ epoch: i < 7 ? 1 : 9, endsStep: i % 3 === 0 || i === 5 });
    const { written, end } = run(steps(13, facts).slice(0, 13), new ScriptedDecoder(1, 3));
    await until(written, 13);
    await end();
    expect(new Set(written.map(({ epoch, range }) => `${epoch}:${range[0] < 7}`)).size).toBe(2);
    for (const { range } of written.slice(0, -1)) expect([1, 4, 6, 7, 10, 13]).toContain(range[1]);
  });

  it('fails with a failed insert although the log has nothing more', async () => {
    const { state, done } = run(steps(4), new ScriptedDecoder(2, 2));
    state.insertMs = 20;
    state.failure = new Error('the store refuses');
    await expect(done).rejects.toThrow('the store refuses');
  });

  it('finishes the insert under way when it is stopped, and drops what is decoded ahead', async () => {
    const decoder = new ScriptedDecoder(1, 3);
    const { written, state, ranges, end } = run(steps(100), decoder);
    state.insertMs = 50;
    while (written.length === 0) await sleep(1);
    await end();
    expect(written.length).toBe(1);
    expect(ranges.length).toBe(1);
    expect(state.inserting).toBe(0);
    expect(decoder.held).toBe(0);
  });

  it('makes an open range whole before anything else: the same range, the same rows, twice if need be', async () => {
    const entry: JournalEntry = {
      lane: 3,
      epoch: 0,
      from: 5,
      next: 14,
      firstPosition: 5,
      lastPosition: 13,
      attempt: 1,
      expected: {},
    };
    const decoder = new ScriptedDecoder(2, 3);
    const { written, end } = run(steps(20), decoder, entry);
    await until(written, 20);
    await end();
    expect(written[0]).toEqual({ range: [5, 14], epoch: 0, positions: upTo(9, 5) });
    expect(written.flatMap(({ positions }) => positions)).toEqual(upTo(15, 5));
  });

  it('names the positions of what is new: old steps that are delivered again, in any order, are not of the batch', async () => {
    const again = [5, 3, 4].map((position) => ({ position }));
    const order = [...upTo(6).map((position) => ({ position })), ...again, { position: 6 }, { position: 2 }];
    const { batches, end } = run(lane(...order), new ScriptedDecoder(1, 1));
    while (batches.at(-1)?.next !== 11) await sleep(1);
    await end();
    const bounds = batches.map(({ firstPosition, lastPosition }) => [firstPosition, lastPosition]);
    expect(bounds.flat()).toEqual([...bounds.flat()].sort((a, b) => a - b));
    expect([bounds.at(0)?.[0], bounds.at(-1)?.[1]]).toEqual([0, 6]);
  });

  it('moves only the offset over copies: no batch is written', async () => {
    const records = lane(...[0, 1, 2, 3, 2, 0].map((position) => ({ position })));
    const { written, committed, end } = run(records, new ScriptedDecoder(1, 3));
    await until(written, 4);
    while (committed.length === 0) await sleep(1);
    await end();
    expect(written.map(({ range }) => range)).toEqual([[0, 4]]);
    expect(committed).toEqual([6]);
  });
});
