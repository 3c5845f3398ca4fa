/**
 * Sums of time by name, milliseconds. `measure` is time that the thread was busy; `wait` is time from a call to its
 * answer, which several calls may spend side by side.
 */
export class Stopwatch {
  readonly #busy = new Map<string, number>();
  readonly #waited = new Map<string, number>();

  measure<T>(name: string, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#add(this.#busy, name, performance.now() - start);
    }
  }

  async wait<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#add(this.#waited, name, performance.now() - start);
    }
  }

  busy(): Record<string, number> {
    return Object.fromEntries(this.#busy);
  }

  waited(): Record<string, number> {
    return Object.fromEntries(this.#waited);
  }

  #add(sums: Map<string, number>, name: string, ms: number): void {
    sums.set(name, (sums.get(name) ?? 0) + ms);
  }
}
