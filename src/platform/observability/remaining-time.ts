/** Estimates the remaining time of work from its rate so far. */
export class RemainingTime {
  readonly #now: () => number;
  #begun: { readonly at: number; readonly done: number } | null = null;

  /** `now`: a clock in milliseconds. Default: the process's own. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds that are left; null before the first progress. The work done before the first call does not count. */
  estimate(done: number, total: number): number | null {
    this.#begun ??= { at: this.#now(), done };
    const { at, done: before } = this.#begun;
    if (done <= before) return null;
    return ((this.#now() - at) / (done - before)) * Math.max(0, total - done);
  }

  /** The estimate in words, such as `2 h 5 min left`; empty if there is none. */
  describe(done: number, total: number): string {
    const ms = this.estimate(done, total);
    return ms === null ? '' : `${formatDuration(ms)} left`;
  }
}

/** A duration as its two largest units: `3 d 4 h`, `2 h 5 min`, `12 min`, `40 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
