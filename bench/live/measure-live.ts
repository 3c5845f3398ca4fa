import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from '../common/bench-error.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { note } from '../common/report.ts';
import { readHead } from '../idle/product-process.ts';
import { watchHead } from '../idle/visible-watch.ts';
import { type ClientCounts, startClients } from './api-clients.ts';
import type { Follower } from './with-follower.ts';

/** Time between two masterchain blocks. */
export const STEP_MS = 400;
/** With blocks and clients, before the measurement. */
const WARM_UP_SECONDS = 20;
/** Blocks beyond the windows: the chain must not end during the measurement. */
const SPARE_SECONDS = 15;

export interface Live {
  /** From a block that the lite server has to its transactions in the API, ms, in order of the steps. */
  readonly lags: readonly number[];
  /** Steps that were offered and not visible at the end. */
  readonly stepsBehind: number;
  /** By process. */
  readonly usage: Readonly<Record<'tonhouse' | 'store' | 'lite_server' | 'clients', UsageSummary>>;
  readonly requests: ClientCounts;
  /** Load average of the machine over the last minute, at the end. */
  readonly load: number;
}

/** A measurement at one rate. */
export interface LiveRun extends Live {
  readonly txPerS: number;
}

/** Masterchain blocks that a measurement of so many seconds needs. */
export function stepsFor(seconds: number): number {
  return Math.ceil(((WARM_UP_SECONDS + seconds + SPARE_SECONDS) * 1_000) / STEP_MS);
}

/** Offers a block every 400 ms, and measures for so many seconds after a warm-up. */
export async function measureLive({ product, lite }: Follower, seconds: number): Promise<Live> {
  const { api, pids } = product;
  note('offering blocks');
  lite.offer({ stepMs: STEP_MS });
  const warm = sleep(WARM_UP_SECONDS * 1_000);
  const clients = await startClients(api);
  await warm;
  note(`measuring for ${seconds} s`);
  const processes = { tonhouse: pids.node, store: pids.store, lite_server: lite.pid, clients: process.pid };
  const sampler = new UsageSampler(processes);
  const lags = await watchHead(api, lite.offered, seconds);
  const stepsBehind = Math.max(0, ...lite.offered.keys()) - (await readHead(api));
  const usage = sampler.stop();
  const requests = await clients.stop();
  const { tonhouse, store, lite_server, clients: own } = usage;
  if (!tonhouse || !store || !lite_server || !own)
    throw new BenchError('the CPU time of processes cannot be read: only Linux has it');
  return {
    lags,
    stepsBehind: Math.max(0, stepsBehind),
    usage: { tonhouse, store, lite_server, clients: own },
    requests,
    load: loadavg()[0] ?? 0,
  };
}
