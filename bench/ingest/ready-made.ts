import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseDatabase, prepareStore } from '../../src/cli/wiring/projection.ts';
import type { LogIdentity } from '../../src/platform/bus/port.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import { landingTable } from '../../src/platform/clickhouse/sink/sink-definition.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { type BenchStore, dropNetwork, settle } from '../common/bench-store.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { Stopwatch } from '../common/stopwatch.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import { BlockMover } from '../synthetic/move-block.ts';

/** A batch on disk: one file of Native bytes a landing table, the longest table first. */
interface ReadyBatch {
  readonly files: readonly { readonly landing: string; readonly file: string; readonly bytes: number }[];
}

export interface ReadyMade {
  readonly batches: readonly ReadyBatch[];
  readonly bytes: number;
  /** What making them cost, by part, ms: decoding alone, without a log or a store beside it. */
  readonly busy: Readonly<Record<string, number>>;
}

/** The sink's own bounds: transactions of a batch; batches and tables under way at the same time. */
export interface SinkShape {
  readonly batchRows: number;
  readonly batches: number;
  readonly tables: number;
}

/** Decodes the chain and writes its batches to disk as they would be inserted. */
export function makeReady(plan: ChainPlan, directory: string, { batchRows }: SinkShape): ReadyMade {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const columns = new BaseColumns();
  const times = new Stopwatch();
  const mover = new BlockMover(times);
  const batches: ReadyBatch[] = [];
  for (let mcSeqno = 1; mcSeqno <= plan.steps; mcSeqno++) {
    for (const block of plan.step(mcSeqno)) {
      const { boc, header } = block.real;
      mover.decode(columns, block, () =>
        decodeBlock(boc, { ...header, mcSeqno }, columns, { verify: 'tx', oldStatesBelowLt: 0n }),
      );
    }
    const full = columns.tables.transactions.rows >= batchRows;
    const epochEnds = (mcSeqno + 1) % plan.identity.epochSize === 0;
    if (!full && !epochEnds && mcSeqno < plan.steps) continue;
    batches.push(writeBatch(columns, join(directory, String(batches.length)), times));
    columns.reset();
  }
  const bytes = batches.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
  return { batches, bytes, busy: times.busy() };
}

function writeBatch(columns: BaseColumns, prefix: string, times: Stopwatch): ReadyBatch {
  const tables = Object.values(columns.tables)
    .filter((table) => table.rows > 0)
    .sort((a, b) => b.rows - a.rows);
  return {
    files: tables.map((table) => {
      const bytes = times.measure('encode', () => Buffer.concat([...encodeNativeBlock(table)]));
      const file = `${prefix}.${table.name}`;
      writeFileSync(file, bytes);
      return { landing: table.name, file, bytes: bytes.length };
    }),
  };
}

export interface InsertResult {
  readonly seconds: number;
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

/** Inserts ready-made batches, and nothing else, into a fresh version database, which is dropped afterwards. */
export async function insertReady(
  ready: ReadyMade,
  store: BenchStore,
  identity: LogIdentity,
  shape: SinkShape,
): Promise<InsertResult> {
  await dropNetwork(store.client, identity.network);
  await prepareStore(store.client, identity);
  const database = baseDatabase(identity);
  const waiting = ready.batches.map((batch, index) => ({ batch, index }));
  const sampler = new UsageSampler({ node: process.pid, clickhouse: store.pid });
  const start = performance.now();
  await inParallel(shape.batches, waiting, ({ batch, index }) =>
    inParallel(shape.tables, [...batch.files], async ({ landing, file }) => {
      const id = `${database}:ready:${index}:${landing}`;
      const options = { route: 'bench/ready', queryId: id, token: id };
      await store.client.insertNative(`${database}.${landingTable(landing)}`, chunks(file), options);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const usage = sampler.stop();
  await settle(store.client);
  await dropNetwork(store.client, identity.network);
  return { seconds, usage };
}

async function inParallel<T>(workers: number, waiting: T[], work: (item: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

const CHUNK = 2 ** 20;

function* chunks(file: string): Generator<Uint8Array> {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
