import { setImmediate as nextTurn } from 'node:timers/promises';
import { note, round } from '../common/report.ts';
import { readDiskBytes } from './disk-bytes.ts';
import type { KeyStore } from './key-store.ts';
import { BATCH_ROWS, makeRows } from './made-rows.ts';
import { readProcessorWait } from './processor-wait.ts';

/** How rows were inserted. Rates are rows per second. */
export interface Inserts {
  readonly keys: number;
  readonly seconds: number;
  /** Share of the time in which the main thread waited for a processor, which other work on the machine causes. */
  readonly waited: number;
  /** True if the time was over before all keys were inserted. */
  readonly isStopped: boolean;
  readonly lastMillion: number;
  /** Of each tenth of all keys; the last one may be a part. */
  readonly tenths: readonly number[];
  /** The longest time that one batch took, ms: an engine may wait until its files are merged. */
  readonly slowestBatch: number;
  /** CPU of the process with its threads, µs per row. */
  readonly cpu: number;
  /** CPU that making the rows takes of it, µs per row. */
  readonly makingCpu: number;
  /** Most resident memory of the process, bytes. Mapped files count. */
  readonly peakMemory: number;
  /** Bytes that the process wrote to files for each row; null if the system does not report them (not Linux). */
  readonly written: number | null;
}

/** What is inserted, and for how long. */
export interface InsertPlan {
  readonly name: string;
  readonly keys: number;
  readonly minutes: number;
}

const PROGRESS_MS = 5_000;
const MILLION = 1_000_000;
const SAMPLE_BATCHES = 40;

/** Inserts rows in batches until all are in or the time is over. */
export async function measureInserts(store: KeyStore, plan: InsertPlan): Promise<Inserts> {
  const makingCpu = measureMaking();
  const batches = Math.ceil(plan.keys / BATCH_ROWS);
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  const before = readDiskBytes();
  const waitedBefore = readProcessorWait();
  /** When each batch was committed. */
  const times = [began];
  let shown = 0;
  while (times.length <= batches) {
    await store.insert(makeRows((times.length - 1) * BATCH_ROWS, BATCH_ROWS));
    // The parent may have ended.
    await nextTurn();
    const now = performance.now();
    times.push(now);
    if (now - (times[shown] ?? 0) >= PROGRESS_MS) {
      note(`${plan.name}: ${toMillions(times.length - 1)} million keys, ${rate(times, shown)}/s`);
      shown = times.length - 1;
    }
    if (now - began >= plan.minutes * 60_000) break;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsed = performance.now() - began;
  const waited = readProcessorWait() - waitedBefore;
  const done = times.length - 1;
  const keys = done * BATCH_ROWS;
  return {
    keys,
    seconds: round(elapsed / 1_000, 1),
    waited: round(waited / elapsed, 2),
    isStopped: done < batches,
    lastMillion: rate(times, Math.max(0, done - MILLION / BATCH_ROWS)),
    tenths: toTenths(times, batches),
    slowestBatch: Math.round(findLongest(times)),
    cpu: round((user + system) / keys, 2),
    makingCpu,
    peakMemory: process.resourceUsage().maxRSS * 1_024,
    written: before && Math.round(((readDiskBytes()?.written ?? 0) - before.written) / keys),
  };
}

/** CPU of making rows without a store, µs per row. */
function measureMaking(): number {
  const before = process.cpuUsage();
  for (let batch = 0; batch < SAMPLE_BATCHES; batch++) makeRows(batch * BATCH_ROWS, BATCH_ROWS);
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / (SAMPLE_BATCHES * BATCH_ROWS), 2);
}

function toTenths(times: readonly number[], batches: number): readonly number[] {
  const size = Math.ceil(batches / 10);
  const done = times.length - 1;
  return Array.from({ length: Math.ceil(done / size) }, (_, i) =>
    rate(times, i * size, Math.min(done, (i + 1) * size)),
  );
}

/** The longest time between two batches, ms. */
function findLongest(times: readonly number[]): number {
  return times.reduce((longest, time, i) => Math.max(longest, time - (times[i - 1] ?? time)), 0);
}

/** Rows per second between two batches. */
function rate(times: readonly number[], from: number, to = times.length - 1): number {
  return Math.round(((to - from) * BATCH_ROWS * 1_000) / ((times[to] ?? 0) - (times[from] ?? 0)));
}

function toMillions(batches: number): string {
  return ((batches * BATCH_ROWS) / MILLION).toFixed(1);
}
