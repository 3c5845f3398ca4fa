import type { FailureKind } from './server-errors.ts';

/** Part of the newest request in the moving averages. */
const NEWEST = 0.2;
/** Failures count half after this time: a bad server is used less, and asked again. */
const HALF_LIFE_MS = 30_000;
/** A request that is likely to fail costs this much time. */
const FAILURE_MS = 3_000;
/** A server that does not have a block yet is no bad server, but another one is better now. */
const WEIGHTS: Readonly<Record<FailureKind, number>> = {
  data: 3,
  error: 0.5,
  network: 3,
  not_ready: 0.3,
  refused: 1,
  silent: 1,
};

/** Health of a server: what it delivered, not what it announces. Times are those of `performance.now()`. */
export class ServerHealth {
  delivered = 0;
  readonly failures = new Map<FailureKind, number>();
  private latency = 100;
  private failing = 0;
  private at = 0;

  success(ms: number, now: number): void {
    this.delivered++;
    this.latency += NEWEST * (ms - this.latency);
    this.failing = this.failingAt(now) * (1 - NEWEST);
    this.at = now;
  }

  failure(kind: FailureKind, now: number): void {
    this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1);
    const before = this.failingAt(now);
    this.failing = before + NEWEST * WEIGHTS[kind] * (1 - Math.min(before, 1));
    this.at = now;
  }

  /** A request takes long; it may still be answered. Others should go elsewhere meanwhile. */
  late(now: number): void {
    const before = this.failingAt(now);
    this.failing = before + NEWEST * (1 - Math.min(before, 1));
    this.at = now;
  }

  /** Average time of an answer, milliseconds. */
  get latencyMs(): number {
    return this.latency;
  }

  /** Expected time of a request in milliseconds if `inFlight` others are under way; less is better. */
  cost(inFlight: number, now: number): number {
    return this.latency * (1 + inFlight / 4) + this.failingAt(now) * FAILURE_MS;
  }

  /** 0 (delivers) to 1 and above (fails). */
  failingAt(now: number): number {
    return this.failing * 0.5 ** ((now - this.at) / HALF_LIFE_MS);
  }
}
