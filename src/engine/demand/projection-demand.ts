/** After a request the newest steps are written as they come, for so long, milliseconds. */
const ACTIVE_MS = 500;
/** A rest lasts for about so many transactions: who asks then waits until they are written. */
const IDLE_TRANSACTIONS = 500;
/** However many they are, a rest has this part of the longest. */
const MIN_IDLE_PART = 1 / 6;

interface IdleLane {
  activate(): void;
  /** Resolves when the lane has written what the log held after it woke. */
  readonly settled: PromiseWithResolvers<void>;
}

/** Lanes of one projection, which idle at the end of the log while no client needs it. */
export class ProjectionDemand {
  readonly #idleMs: number;
  readonly #idleLanes = new Map<object, IdleLane>();
  #requestedAt = Number.NEGATIVE_INFINITY;

  /** `idleMs`: longest idle time of a lane, milliseconds. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** True if a request came recently: lanes stay active. */
  get isActive(): boolean {
    return performance.now() - this.#requestedAt < ACTIVE_MS;
  }

  /** A request activates the lanes. Returns promises that resolve when each idle lane has caught up with the log. */
  request(): Promise<void>[] {
    this.#requestedAt = performance.now();
    const lanes = [...this.#idleLanes.values()];
    for (const { activate } of lanes) activate();
    return lanes.map(({ settled }) => settled.promise);
  }

  /**
   * Idle time of a lane that has written everything in the log: until a request, its end, or the abort of `stop`.
   * `pace`: recent transactions a second.
   */
  idle(lane: object, stop: AbortSignal, pace = 0): Promise<void> {
    const idleMs = this.#idleMs * Math.max(MIN_IDLE_PART, Math.min(1, this.#getIdleMs(pace) / this.#idleMs));
    return new Promise((resolve) => {
      const activate = () => {
        clearTimeout(timer);
        stop.removeEventListener('abort', activate);
        resolve();
      };
      const timer = setTimeout(activate, idleMs);
      stop.addEventListener('abort', activate);
      this.#idleLanes.set(lane, { activate, settled: Promise.withResolvers() });
      if (stop.aborted || this.isActive) activate();
    });
  }

  #getIdleMs(pace: number): number {
    return (IDLE_TRANSACTIONS / pace) * 1_000;
  }

  /** The lane has written what the log held when it woke, or has ended. */
  settled(lane: object): void {
    this.#idleLanes.get(lane)?.settled.resolve();
    this.#idleLanes.delete(lane);
  }
}
