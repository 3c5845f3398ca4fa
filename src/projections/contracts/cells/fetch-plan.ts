/** Pause after the second failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 10 * 60_000;
const MAX_PAUSE_MS = 6 * 3_600_000;
const HOUR_MS = 3_600_000;

interface Failures {
  readonly count: number;
  /** Time of the next request, by the plan's clock. */
  readonly dueAt: number;
}

/**
 * Decides when accounts and libraries, named by keys, are asked for. The second request follows at once, because it goes
 * to another block. Further ones follow after 10 minutes, rising to 6 hours. Each hour has a limit of requests.
 */
export class FetchPlan {
  readonly #perHour: number;
  readonly #failures = new Map<string, Failures>();
  #hour = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  /** Keys that failed and were not fetched since. */
  get failed(): number {
    return this.#failures.size;
  }

  /** Failures of a key so far. */
  failures(key: string): number {
    return this.#failures.get(key)?.count ?? 0;
  }

  /** The first due items, at most `limit` and what is left of the hour. They count as requests of this hour. */
  take<T>(items: readonly T[], toKey: (item: T) => string, limit: number, now: number): T[] {
    if (now - this.#hour >= HOUR_MS) [this.#hour, this.#used] = [now, 0];
    const due = items.filter((item) => (this.#failures.get(toKey(item))?.dueAt ?? now) <= now);
    const taken = due.slice(0, Math.min(limit, this.#perHour - this.#used));
    this.#used += taken.length;
    return taken;
  }

  succeed(key: string): void {
    this.#failures.delete(key);
  }

  fail(key: string, now: number): void {
    const count = this.failures(key) + 1;
    const pauseMs = count === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (count - 2), MAX_PAUSE_MS);
    this.#failures.set(key, { count, dueAt: now + pauseMs });
  }
}
