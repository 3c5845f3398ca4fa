import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { landingTable } from '../../src/engine/sink/sink-definition.ts';
import { deferMerges, resumeMerges } from '../../src/engine/versions/deferred-merges.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { Kernel } from '../../src/ton/kernel/kernel.ts';
import { appendParts, type NativeParts } from '../../src/ton/kernel/native-parts.ts';
import { type BenchStore, dropNetwork, settle } from '../common/bench-store.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { Stopwatch } from '../common/stopwatch.ts';
import type { ChainPlan, PlannedBlock } from '../synthetic/chain-plan.ts';
import { cachedMasks } from '../synthetic/masks.ts';
import { shiftRows } from '../synthetic/shift-columns.ts';

const CHUNK = 2 ** 20;
/** Labels of the networks whose rows are inserted ready made. */
export type ReadyNetwork = 'ready' | 'again' | `paced${string}`;

/** A batch on disk: one file of Native bytes a landing table, the longest table first. */
export interface ReadyBatch {
  readonly files: readonly { readonly landing: string; readonly file: string; readonly bytes: number }[];
}

export interface ReadyMade {
  readonly batches: readonly ReadyBatch[];
  readonly bytes: number;
  /** Cost of making them, by part, ms: only decoding, without a log or a store. */
  readonly busy: Readonly<Record<string, number>>;
}

/** The sink's own bounds: transactions of a batch; batches and tables under way at the same time. */
export interface SinkShape {
  readonly batchRows: number;
  readonly batches: number;
  readonly tables: number;
}

/** Decodes the chain and writes its batches to disk as they would be inserted; `leaveOut`: without these tables. */
export async function makeReady(
  plan: ChainPlan,
  directory: string,
  { batchRows }: SinkShape,
  leaveOut: readonly string[] = [],
): Promise<ReadyMade> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const maker = new ChunkMaker(await Kernel.load());
  const batches: ReadyBatch[] = [];
  const columns = new BaseColumns();
  let transactions = 0;
  for (let mcSeqno = 1; mcSeqno <= plan.steps; mcSeqno++) {
    for (const block of plan.step(mcSeqno)) {
      maker.add(block);
      transactions += block.real.transactions;
    }
    const isEnd = mcSeqno === plan.steps || (mcSeqno + 1) % plan.identity.epochSize === 0;
    const isFull = transactions >= batchRows || isEnd;
    if (isFull || maker.bytes >= CHUNK) appendParts(columns, maker.take());
    if (!isFull) continue;
    batches.push(writeBatch(columns, join(directory, String(batches.length)), maker.times, leaveOut));
    columns.reset();
    transactions = 0;
  }
  const bytes = batches.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
  return { batches, bytes, busy: maker.times.busy() };
}

/** Decodes some blocks at a time and moves their rows. */
class ChunkMaker {
  readonly times = new Stopwatch();
  readonly #kernel: Kernel;
  readonly #masks = cachedMasks();
  #blocks: PlannedBlock[] = [];
  bytes = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  add(block: PlannedBlock): void {
    const { boc, header } = block.real;
    const meta = { ...header, mcSeqno: block.mcSeqno };
    const options = { verify: 'tx', oldStatesBelowLt: 0n } as const;
    this.times.measure('decode', () => this.#kernel.add(boc, meta, options));
    this.#blocks.push(block);
    this.bytes += boc.length;
  }

  take(): NativeParts {
    const parts = this.times.measure('decode', () => this.#kernel.takeParts(null));
    this.times.measure('shift', () => shiftRows(parts, this.#blocks, this.#masks));
    this.#blocks = [];
    this.bytes = 0;
    return parts;
  }
}

function writeBatch(
  columns: BaseColumns,
  prefix: string,
  times: Stopwatch,
  leaveOut: readonly string[],
): ReadyBatch {
  const tables = Object.values(columns.tables)
    .filter((table) => table.rows > 0 && !leaveOut.includes(table.name))
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
  /** From the last row until the store had merged what it merges. */
  readonly mergeSeconds: number;
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

/**
 * Inserts ready-made batches, and nothing else, into a fresh version database, whose merges are deferred as a replay's are. To be dropped when all is measured
 * (`dropReady`): a file system from which tens of thousands of files were just deleted makes new ones slowly.
 */
export async function insertReady(
  ready: ReadyMade,
  store: BenchStore,
  plan: ChainPlan,
  { batches, tables, network = 'ready' }: SinkShape & { readonly network?: ReadyNetwork },
): Promise<InsertResult> {
  const database = await openReady(store, plan.identity, network);
  await deferMerges(store.client, database);
  const waiting = ready.batches.map((batch, index) => ({ batch, index, tables }));
  const sampler = new UsageSampler({ node: process.pid, clickhouse: store.pid });
  const start = performance.now();
  await inParallel(batches, waiting, (one) => insertBatch(store.client, database, one));
  const seconds = (performance.now() - start) / 1000;
  const usage = sampler.stop();
  await resumeMerges(store.client, database);
  const mergeSeconds = await settle(store.client);
  return { seconds, mergeSeconds, usage };
}

/** Makes an empty version database for ready-made rows; answers its name. */
export async function openReady(
  store: BenchStore,
  like: LogIdentity,
  network: ReadyNetwork,
): Promise<string> {
  const identity: LogIdentity = { ...like, network, id: `synthetic:${network}` };
  await prepareStore(store.client, identity, [BASE]);
  return getDatabase(identity, BASE);
}

/** Inserts one batch, `tables` of its tables at a time. */
export function insertBatch(
  client: StoreClient,
  database: string,
  { batch, index, tables }: { readonly batch: ReadyBatch; readonly index: number; readonly tables: number },
): Promise<void> {
  return inParallel(tables, [...batch.files], async ({ landing, file }) => {
    const id = `${database}:ready:${index}:${landing}`;
    const options = { route: 'bench/ready', queryId: id, token: id };
    await client.insertNative(`${database}.${landingTable(landing)}`, chunks(file), options);
  });
}

/** Drops what was inserted ready made. */
export async function dropReady({ client }: BenchStore): Promise<void> {
  for (const network of ['ready', 'again', 'paced'] satisfies ReadyNetwork[])
    await dropNetwork(client, network);
}

async function inParallel<T>(workers: number, waiting: T[], work: (item: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function* chunks(file: string): Generator<Uint8Array> {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
