import { LRUCache } from 'lru-cache';
import type { WindowCount } from './window-count.ts';

export interface LocalCountsOptions {
  readonly windowMs: number;
  /** Maximum names with counts; beyond it the least recently used one restarts from zero. */
  readonly mostNames: number;
  /** Milliseconds that only grow. Default `performance.now`. */
  readonly monotonic?: () => number;
}

/** Counts by name in windows of time, of this process. A change of the system's clock moves no window. */
export class LocalCounts {
  readonly #windowMs: number;
  readonly #monotonic: () => number;
  readonly #counts: LRUCache<string, { readonly began: number; readonly count: number }>;

  constructor({ windowMs, mostNames, monotonic = () => performance.now() }: LocalCountsOptions) {
    this.#windowMs = windowMs;
    this.#monotonic = monotonic;
    this.#counts = new LRUCache({ max: mostNames });
  }

  /** Counts one more of a name. */
  add(name: string): WindowCount {
    const now = this.#monotonic();
    const open = this.#findOpen(name, now);
    const window = open ? { began: open.began, count: open.count + 1 } : { began: now, count: 1 };
    this.#counts.set(name, window);
    return { count: window.count, leftMs: window.began + this.#windowMs - now };
  }

  /** The count of a name; null if none was counted in a window that has not ended. */
  read(name: string): WindowCount | null {
    const now = this.#monotonic();
    const open = this.#findOpen(name, now);
    return open && { count: open.count, leftMs: open.began + this.#windowMs - now };
  }

  #findOpen(name: string, now: number): { readonly began: number; readonly count: number } | null {
    const known = this.#counts.get(name);
    return known !== undefined && now < known.began + this.#windowMs ? known : null;
  }
}
