import { RecentTime } from './recent-time.ts';

/** Mean time of the recent uses of each key; old ones fade. */
export class UsualTime {
  readonly #time: RecentTime;
  readonly #uses: RecentTime;

  /** `now`: a monotonic clock in milliseconds. */
  constructor(now?: () => number) {
    this.#time = new RecentTime(now);
    this.#uses = new RecentTime(now);
  }

  /** Milliseconds; null if the key is unknown. */
  of(key: string): number | null {
    const uses = this.#uses.of(key);
    return uses > 0 ? this.#time.of(key) / uses : null;
  }

  add(key: string, ms: number): void {
    this.#time.add(key, ms);
    this.#uses.add(key, 1);
  }
}
