/** After a request the newest steps are written as they come, for so long, milliseconds. */
const WANTED_MS = 500;
/** A rest lasts for about so many transactions: who asks then waits until they are written. */
const FEW_TRANSACTIONS = 500;
/** However many they are, a rest has this part of the longest. */
const SHORTEST_REST = 1 / 6;

interface Rest {
  wake(): void;
  /** Resolves when the lane has written what the log held after it woke. */
  readonly settled: PromiseWithResolvers<void>;
}

/** Lanes of one projection, which idle at the end of the log while no client needs it. */
export class ProjectionDemand {
  readonly #idleMs: number;
  readonly #rests = new Map<object, Rest>();
  #askedAt = Number.NEGATIVE_INFINITY;

  /** `idleMs`: longest idle time of a lane, milliseconds. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** True if a request came recently: lanes stay active. */
  get isWanted(): boolean {
    return performance.now() - this.#askedAt < WANTED_MS;
  }

  /** A request activates the lanes. Returns promises that resolve when each idle lane has caught up with the log. */
  ask(): Promise<void>[] {
    this.#askedAt = performance.now();
    const rests = [...this.#rests.values()];
    for (const { wake } of rests) wake();
    return rests.map(({ settled }) => settled.promise);
  }

  /**
   * Idle time of a lane that has written everything in the log: until a request, its end, or the abort of `stop`.
   * `pace`: recent transactions a second.
   */
  rest(lane: object, stop: AbortSignal, pace = 0): Promise<void> {
    const idleMs = this.#idleMs * Math.max(SHORTEST_REST, Math.min(1, this.#fewMs(pace) / this.#idleMs));
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        stop.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, idleMs);
      stop.addEventListener('abort', wake);
      this.#rests.set(lane, { wake, settled: Promise.withResolvers() });
      if (stop.aborted || this.isWanted) wake();
    });
  }

  #fewMs(pace: number): number {
    return (FEW_TRANSACTIONS / pace) * 1_000;
  }

  /** The lane has written what the log held when it woke, or has ended. */
  settled(lane: object): void {
    this.#rests.get(lane)?.settled.resolve();
    this.#rests.delete(lane);
  }
}
