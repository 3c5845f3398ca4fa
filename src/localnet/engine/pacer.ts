/** When blocks are made. */
export interface Pace {
  /** Shortest time between two blocks while there is work, milliseconds. */
  readonly blockMs: number;
  /** A block after this long without work; null for none: only work, or `demand`, makes blocks. */
  readonly idleMs: number | null;
  /** Only `demand` makes blocks. Default false. */
  readonly onDemand?: boolean;
}

/** Schedules the next block. */
export class Pacer {
  private readonly pace: Pace;
  private last: number;
  private isBusy = true;
  /** There was something to do since the last block began, which may or may not have it. */
  private isPoked = false;
  private demanded = 0;
  private wake: (() => void) | null = null;

  constructor(pace: Pace) {
    this.pace = pace;
    this.last = performance.now() - pace.blockMs;
  }

  /** There is something to do. */
  poke(): void {
    this.isBusy = true;
    this.isPoked = true;
    this.wake?.();
  }

  /** Makes blocks due at once. */
  demand(blocks: number): void {
    this.demanded += blocks;
    this.wake?.();
  }

  /** The block that was due is made; `isBusy`: it left something to do. */
  made(isBusy: boolean): void {
    this.last = performance.now();
    this.isBusy = isBusy || this.isPoked;
    if (this.demanded > 0) this.demanded--;
  }

  /** Resolves when a block is due, or the signal aborts. */
  async due(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const left = this.left();
      if (left !== null && left <= 0) {
        this.isPoked = false;
        return;
      }
      await this.sleep(left, signal);
    }
  }

  /** Milliseconds until the next block; null for never, as things are. */
  private left(): number | null {
    if (this.demanded > 0) return 0;
    if (this.pace.onDemand) return null;
    const wait = this.isBusy ? this.pace.blockMs : this.pace.idleMs;
    return wait === null ? null : this.last + wait - performance.now();
  }

  private sleep(ms: number | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.wake = null;
        resolve();
      };
      const timer = ms === null ? undefined : setTimeout(done, Math.ceil(ms));
      this.wake = done;
      signal.addEventListener('abort', done);
    });
  }
}
