import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from '../common/bench-error.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { note } from '../common/report.ts';
import { readHead } from '../idle/product-process.ts';
import { threadCpu, threadCpuSince } from '../ingest/thread-cpu.ts';
import type { Follower } from './with-follower.ts';

export interface Catchup {
  readonly blocks: number;
  readonly steps: number;
  readonly seconds: number;
  readonly tonhouse: UsageSummary;
  readonly store: UsageSummary;
  /** CPU time of tonhouse's threads, ms, by name. */
  readonly threads: Readonly<Record<string, number>>;
  /** Load average of the machine over the last minute, at the end. */
  readonly load: number;
}

/** Rare, so that lanes write large batches, as they do while no client asks. */
const POLL_MS = 2_000;

/** Offers all blocks at once and waits until the API has the last one. */
export async function measureCatchup({ product, lite }: Follower): Promise<Catchup> {
  const { api, pids } = product;
  const { last, blocksToOffer: blocks } = lite;
  note(`catching up with ${blocks} blocks`);
  const first = await readHead(api);
  const sampler = new UsageSampler({ tonhouse: pids.node, store: pids.store });
  const threadsBefore = threadCpu(pids.node);
  const begun = performance.now();
  lite.offer({ stepMs: 0 });
  while ((await readHead(api)) < last) await sleep(POLL_MS);
  const seconds = (performance.now() - begun) / 1_000;
  const threads = threadCpuSince(threadsBefore, pids.node);
  const { tonhouse, store } = sampler.stop();
  if (!tonhouse || !store)
    throw new BenchError('the CPU time of processes cannot be read: only Linux has it');
  return { blocks, steps: last - first, seconds, tonhouse, store, threads, load: loadavg()[0] ?? 0 };
}
