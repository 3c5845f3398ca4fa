import autocannon from 'autocannon';
import { BenchError } from '../common/bench-error.ts';
import { quantile } from '../common/report.ts';
import type { HttpCall, Unit } from './http-sender.ts';

export interface Latency {
  /** With the warm-up. */
  readonly sent: number;
  readonly requests: number;
  readonly errors: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Requests a second, one after the other. */
  readonly perSecond: number;
  /** Body of the last error. */
  readonly error: string | null;
}

/** How much is asked for, one unit after the other. */
export interface LatencyPlan {
  readonly requests: number;
  /** If units are so slow that this time passes, fewer are sent, and the result has their number. */
  readonly limitSeconds: number;
  /** Units before the ones that are timed; default 50. */
  readonly warmUp?: number;
}

const WARM_UP = 50;
/** How long a run goes on after its end is known, at most. */
const TICK_MS = 20;
/** Longer than any answer of a bench: a slow answer is a figure, no failure. */
const TIMEOUT_SECONDS = 600;
const ERROR_TEXT = 300;

/** Sends units one after the other at one connection, `requests` of them after a warm-up, and takes the time of each, ms. */
export async function measureLatency(
  url: string,
  units: readonly Unit[],
  { requests, limitSeconds, warmUp = WARM_UP }: LatencyPlan,
): Promise<Latency> {
  const begun = performance.now();
  const warming = units.slice(0, warmUp);
  const warm = await sendUnits(url, warming, warming.length, limitSeconds / 2);
  const left = limitSeconds - (performance.now() - begun) / 1000;
  const { times, errors, error } = await sendUnits(url, units, requests, left);
  times.sort((a, b) => a - b);
  const at = (q: number) => quantile(times, q);
  const figures = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  const perSecond = (times.length * 1000) / times.reduce((sum, ms) => sum + ms, 0);
  const sentAll = warm.times.length + times.length;
  return { sent: sentAll, requests: times.length, errors, ...figures, perSecond, error };
}

/** Work that several connections got done side by side. */
export interface Throughput {
  /** Units. */
  readonly perSecond: number;
  /** Calls, of all units. */
  readonly calls: number;
  readonly errors: number;
}

/** Units a second that so many connections get done side by side. */
export async function measureThroughput(
  url: string,
  units: readonly Unit[],
  connections: number,
  seconds: number,
): Promise<Throughput> {
  const counts = { calls: 0, errors: 0 };
  const calls = units.flat();
  const begun = performance.now();
  await run({ url, calls, connections, duration: seconds }, ({ status }) => {
    counts.calls++;
    if (status !== 200) counts.errors++;
  });
  const elapsed = (performance.now() - begun) / 1000;
  // Each connection goes through whole units, one call after the other.
  return { perSecond: (counts.calls * units.length) / calls.length / elapsed, ...counts };
}

/** Times of `count` units, going round, or of those that were done within the limit. */
async function sendUnits(url: string, units: readonly Unit[], count: number, limitSeconds: number) {
  const sent = { times: [] as number[], errors: 0, error: null as string | null };
  const planned = Array.from({ length: units.length === 0 ? 0 : count }, (_, i) => units[i % units.length]!);
  const amount = planned.reduce((sum, unit) => sum + unit.length, 0);
  if (amount === 0) return sent;
  let [time, calls] = [0, 0];
  await run({ url, calls: units.flat(), connections: 1, amount, limitSeconds }, ({ status, ms, text }) => {
    time += ms;
    if (status !== 200) {
      sent.errors++;
      sent.error = `${status} ${text()}`;
    }
    if (++calls < planned[sent.times.length]!.length) return;
    sent.times.push(time);
    [time, calls] = [0, 0];
  });
  return sent;
}

interface Load {
  readonly url: string;
  /** Sent in turn by each connection; connections start at different places. */
  readonly calls: readonly HttpCall[];
  readonly connections: number;
  /** Seconds. */
  readonly duration?: number;
  readonly amount?: number;
  readonly limitSeconds?: number;
}

interface Response {
  readonly status: number;
  readonly ms: number;
  /** The end of its body. */
  readonly text: () => string;
}

/** @throws BenchError if a request has no answer */
async function run(load: Load, onResponse: (response: Response) => void): Promise<void> {
  const { url, calls, connections, duration, amount, limitSeconds } = load;
  const requests = calls.map(({ method, path, headers, body }) => ({
    method,
    path,
    headers,
    ...(body && { body: Buffer.from(body) }),
  }));
  let clients = 0;
  let body: Buffer | null = null;
  const setupClient = (client: autocannon.Client) => {
    const from = Math.floor((clients++ * requests.length) / connections);
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
    client.on('body', (part: Buffer) => {
      body = part;
    });
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { url, connections, requests, setupClient, sampleInt: TICK_MS, timeout: TIMEOUT_SECONDS };
  const instance = autocannon(
    { ...options, ...(amount === undefined ? { duration } : { amount }) } as autocannon.Options,
    (error) => (error ? reject(error) : resolve()),
  );
  const text = () => body?.toString().slice(0, ERROR_TEXT) ?? '';
  instance.on('response', (_client, status, _bytes, ms) => onResponse({ status, ms, text }));
  instance.on('reqError', (error) => reject(new BenchError(`${url}: ${error.message}`)));
  const limit = setTimeout(() => instance.stop(), Math.max(1, (limitSeconds ?? TIMEOUT_SECONDS) * 1000));
  try {
    await promise;
  } finally {
    clearTimeout(limit);
    instance.stop();
  }
}
