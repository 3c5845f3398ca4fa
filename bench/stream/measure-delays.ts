import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../common/report.ts';
import { type ProductProcess, readHead } from '../idle/product-process.ts';
import { busyAccounts, type EventStream, openEvents } from './event-stream.ts';

/** Accounts of one subscription. */
const ADDRESSES = 5;
/** How often the head is asked for, ms. */
const ASK_MS = 5;
/** Streams that are opened at the same time. */
const AT_ONCE = 50;
/** How long the load without streams is measured, seconds. */
export const IDLE_SECONDS = 10;

/** From the moment at which a block is visible to its events at the clients, ms. */
export interface Delays {
  readonly events: number;
  readonly blocks: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** CPU time of the server for an event of a stream, beyond what it takes without streams, microseconds. */
  readonly cpuMicros: number;
}

/** Opens the streams and times their events for so many seconds. Blocks count as visible when `masterchainInfo` names them. */
export async function measureDelays(
  { api, loadDuring }: ProductProcess,
  subscribers: number,
  seconds: number,
): Promise<Delays> {
  // The same requests are sent meanwhile as when events are measured.
  const idle = await loadDuring(async () => void (await watchSteps(api, IDLE_SECONDS)));
  const accounts = await busyAccounts(api, 200);
  const arrivals: { readonly step: number; readonly at: number }[] = [];
  let isMeasuring = false;
  const onEvent = (id: string) => {
    if (isMeasuring) arrivals.push({ step: Number.parseInt(id, 10), at: performance.now() });
  };
  const streams: EventStream[] = [];
  while (streams.length < subscribers) {
    const next = Array.from({ length: Math.min(AT_ONCE, subscribers - streams.length) }, (_, at) => {
      const first = ((streams.length + at) * ADDRESSES) % accounts.length;
      return openEvents(api, [...accounts, ...accounts].slice(first, first + ADDRESSES), onEvent);
    });
    streams.push(...(await Promise.all(next)));
  }
  // Those that joined are at the head.
  await sleep(2_000);
  isMeasuring = true;
  let visible: ReadonlyMap<number, number> = new Map();
  const begun = performance.now();
  const busy = await loadDuring(async () => {
    visible = await watchSteps(api, seconds);
  });
  const tookMs = performance.now() - begun;
  const sent = arrivals.length;
  isMeasuring = false;
  for (const stream of streams) stream.close();
  const delays = arrivals.flatMap(({ step, at }) => {
    const seen = visible.get(step);
    // An event may be there before the next look at the head.
    return seen === undefined ? [] : [Math.max(0, at - seen)];
  });
  delays.sort((a, b) => a - b);
  const at = (part: number) => quantile(delays, part);
  return {
    events: delays.length,
    blocks: visible.size,
    p50: at(0.5),
    p99: at(0.99),
    max: delays.at(-1) ?? 0,
    cpuMicros: (((busy.node - idle.node) / 100) * tookMs * 1_000) / Math.max(1, sent),
  };
}

/** Moments at which steps were visible first, the first of them excepted. */
async function watchSteps(api: string, seconds: number): Promise<ReadonlyMap<number, number>> {
  const visible = new Map<number, number>();
  const end = performance.now() + seconds * 1_000;
  for (let known = await readHead(api); performance.now() < end; await sleep(ASK_MS)) {
    const head = await readHead(api);
    const now = performance.now();
    for (let step = known + 1; step <= head; step++) visible.set(step, now);
    known = Math.max(known, head);
  }
  return visible;
}
