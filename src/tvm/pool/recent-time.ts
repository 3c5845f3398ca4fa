/** Half-life of used time, milliseconds. */
const HALF_LIFE_MS = 10_000;
/** More keys than clients ask at a time; the least of them are forgotten first. */
const MAX_KEYS = 4_096;

/** Milliseconds of threads that each key used lately. */
export class RecentTime {
  readonly #used = new Map<string, { readonly ms: number; readonly at: number }>();
  readonly #now: () => number;

  /** `now`: a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(key: string): number {
    const found = this.#used.get(key);
    return found ? found.ms * 0.5 ** ((this.#now() - found.at) / HALF_LIFE_MS) : 0;
  }

  add(key: string, ms: number): void {
    this.#used.set(key, { ms: this.of(key) + ms, at: this.#now() });
    if (this.#used.size > MAX_KEYS) this.#forgetHalf();
  }

  #forgetHalf(): void {
    const keys = [...this.#used.keys()].sort((a, b) => this.of(a) - this.of(b));
    for (const key of keys.slice(0, MAX_KEYS / 2)) this.#used.delete(key);
  }
}
