import { setTimeout as sleep } from 'node:timers/promises';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { joinRanges } from './confirmed-range.ts';

/** Steps of a version that a lane of this process confirmed. */
export interface ConfirmedSteps {
  /** The version's. */
  readonly database: string;
  /** Of a projection in chain order: each confirms separately. */
  readonly partition?: number | undefined;
  readonly range: PositionRange;
}

/** Steps that lanes of this process confirm: waiting code is notified and need not ask the store. */
export class ConfirmedNews {
  /** A promise of the next batch, by projection. */
  readonly #next = new Map<string, PromiseWithResolvers<void>>();
  /** Consecutive announced steps, up to the last one, by database and partition. */
  readonly #announced = new Map<string, PositionRange>();

  /** A batch of a projection is confirmed. */
  announce(projection: string, { database, partition, range }: ConfirmedSteps): void {
    const key = confirmedKey(database, partition);
    const before = this.#announced.get(key);
    this.#announced.set(key, (before && joinRanges(before, range)) ?? range);
    const heard = this.#next.get(projection);
    this.#next.delete(projection);
    heard?.resolve();
  }

  /** Consecutive confirmed steps up to the last batch; null if this process has confirmed nothing there. */
  announced(database: string, partition?: number): PositionRange | null {
    return this.#announced.get(confirmedKey(database, partition)) ?? null;
  }

  /**
   * Resolves with true on an announcement of the projection, with false after a time in milliseconds; rejects when
   * `signal` aborts.
   */
  async heard(projection: string, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    const late = new AbortController();
    const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    const pause = sleep(ms, false, { signal: ends });
    try {
      return await Promise.race([pause, this.#getNext(projection).then(() => true)]);
    } finally {
      late.abort();
      pause.catch(() => {});
    }
  }

  #getNext(projection: string): Promise<void> {
    const next = this.#next.get(projection) ?? Promise.withResolvers<void>();
    this.#next.set(projection, next);
    return next.promise;
  }
}

/** Key of what one partition of a version's database confirms, or all its lanes together. */
export const confirmedKey = (database: string, partition: number | undefined) =>
  `${database} ${partition ?? ''}`;
