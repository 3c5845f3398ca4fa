import { Agent } from 'node:http';
import { callHttp, type Route } from '../http-call.ts';
import { type HonestCall, wrongHonestAnswer } from './honest-calls.ts';

/** Answers to an honest client, counted. */
export interface HonestReport {
  readonly asked: number;
  readonly right: number;
  /** 503 and 429 with Retry-After, 542 of v2: come again. */
  readonly busy: number;
  /** Everything else, by its text, with how often. */
  readonly wrong: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all answers, ms, ascending. */
  readonly timesMs: readonly number[];
  /** Longest answer to each kind of call, ms. */
  readonly longestMs: Readonly<Record<string, number>>;
}

const EVERY_MS = 100;

/** The value below which `part` of some values lie, which are in their order; 0 of none. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** A client that asks at a steady rate, whether answers come or not. */
export class HonestClient {
  readonly #route: Route;
  readonly #calls: readonly HonestCall[];
  readonly #timer: NodeJS.Timeout;
  #next = 0;
  #seen = emptyTally();

  constructor(route: Route, calls: readonly HonestCall[]) {
    this.#route = { ...route, agent: new Agent({ keepAlive: true }) };
    this.#calls = calls;
    this.#timer = setInterval(() => void this.#ask(), EVERY_MS);
  }

  /** Report since the last call. */
  take(): HonestReport {
    const { times, ...counts } = this.#seen;
    this.#seen = emptyTally();
    const timesMs = times.map(Math.round).sort((a, b) => a - b);
    return { ...counts, timesMs, p50Ms: percentile(timesMs, 0.5), p99Ms: percentile(timesMs, 0.99) };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#route.agent?.destroy();
  }

  async #ask(): Promise<void> {
    const honest = this.#calls[this.#next++ % this.#calls.length]!;
    const { status, headers, text, ms, failure } = await callHttp(this.#route, honest.call);
    // Counted at its end: a slow answer belongs to the attack during which it arrived.
    const seen = this.#seen;
    seen.asked++;
    seen.times.push(ms);
    seen.longestMs[honest.name] = Math.max(seen.longestMs[honest.name] ?? 0, Math.round(ms));
    // 542 is v2's status while the store is away.
    if (((status === 503 || status === 429) && headers['retry-after']) || status === 542) {
      seen.busy++;
      return;
    }
    const wrong = failure ? `${honest.name}: ${failure}` : wrongHonestAnswer(honest, status, text);
    if (wrong === null) seen.right++;
    else seen.wrong[wrong] = (seen.wrong[wrong] ?? 0) + 1;
  }
}

function emptyTally() {
  return {
    asked: 0,
    right: 0,
    busy: 0,
    wrong: {} as Record<string, number>,
    longestMs: {} as Record<string, number>,
    times: [] as number[],
  };
}
