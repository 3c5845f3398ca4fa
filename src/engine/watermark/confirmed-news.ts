import { setTimeout as sleep } from 'node:timers/promises';

/** Highest position that a projection's lanes of this process have confirmed, and a promise of the next one. */
interface Told {
  readonly highest: number;
  readonly more: PromiseWithResolvers<void>;
}

/**
 * Steps that lanes of this process confirm: who waits for them is told, and asks the store when there is something new
 * to see.
 */
export class ConfirmedNews {
  readonly #told = new Map<string, Told>();

  /** A batch of a projection is confirmed; `last`: its highest position. */
  tell(projection: string, last: number): void {
    const before = this.#told.get(projection);
    const highest = Math.max(last, before?.highest ?? last);
    this.#told.set(projection, { highest, more: Promise.withResolvers() });
    before?.more.resolve();
  }

  /** The highest position told of; null where this process has confirmed nothing of the projection. */
  highest(projection: string): number | null {
    return this.#told.get(projection)?.highest ?? null;
  }

  /** Resolves when something of the projection is told, or after so many milliseconds; rejects when `signal` aborts. */
  async heard(projection: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const late = new AbortController();
    const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    const pause = sleep(ms, undefined, { signal: ends });
    try {
      await Promise.race([pause, ...this.#next(projection)]);
    } finally {
      late.abort();
      pause.catch(() => {});
    }
  }

  #next(projection: string): readonly Promise<void>[] {
    const told = this.#told.get(projection);
    return told ? [told.more.promise] : [];
  }
}
