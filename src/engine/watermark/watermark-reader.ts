import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type ConfirmedRange, extendConfirmed, readConfirmed } from './confirmed-range.ts';

export interface WatermarkOptions {
  readonly client: StoreClient;
  /** Database of the projection version that is served. */
  readonly database: string;
  /** Of a projection in chain order. */
  readonly partition?: number;
  /** Pause between looks, ms. Default 250. */
  readonly pollMs?: number;
  /**
   * How long the range stays where it is although something was confirmed above a gap, ms. Lanes fill in parallel, so
   * at an epoch's border a gap of moments is usual: jumping over it would hide all that lies below. Default 30,000.
   */
  readonly gapPatienceMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** Follows the contiguous confirmed range that holds the head. */
export class WatermarkReader {
  readonly #options: WatermarkOptions;
  readonly #listeners = new Set<(range: ConfirmedRange) => void>();
  #current: ConfirmedRange | null = null;
  #gapSince: number | null = null;
  #stop: AbortController | null = null;
  #running: Promise<void> = Promise.resolve();
  /** Something was confirmed that no look has begun after. */
  #isNudged = false;
  /** Ends the pause between two looks. */
  #wake: (() => void) | null = null;

  constructor(options: WatermarkOptions) {
    this.#options = options;
  }

  /** Null while nothing is confirmed. */
  get current(): ConfirmedRange | null {
    return this.#current;
  }

  /** Calls back after every change; answers what ends that. */
  onChange(listener: (range: ConfirmedRange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks once, throwing what goes wrong, and then at every interval, reporting to `onError` and going on. */
  async start(): Promise<void> {
    if (this.#stop) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    try {
      await this.look();
    } catch (error) {
      this.#stop = null;
      throw error;
    }
    this.#running = this.#follow(signal);
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = null;
    this.#wake?.();
    await this.#running;
  }

  /** Something was confirmed, in this process: the next look begins without waiting for its time. */
  nudge(): void {
    this.#isNudged = true;
    this.#wake?.();
  }

  /** One look, now. */
  async look(): Promise<void> {
    const { client, database, partition } = this.#options;
    if (!this.#current) return this.#move(await readConfirmed(client, database, partition));
    for (let more = true; more; ) {
      const extension = await extendConfirmed(client, database, this.#current, partition);
      more = extension.more;
      this.#move(extension.range);
      if (!more && this.#isGapOld(extension.highest))
        this.#move(await readConfirmed(client, database, partition));
    }
  }

  #isGapOld(highest: number): boolean {
    if (this.#current && highest <= this.#current.last) {
      this.#gapSince = null;
      return false;
    }
    this.#gapSince ??= performance.now();
    if (performance.now() - this.#gapSince < (this.#options.gapPatienceMs ?? 30_000)) return false;
    this.#gapSince = null;
    return true;
  }

  #move(range: ConfirmedRange | null): void {
    if (!range) return;
    if (range.first === this.#current?.first && range.last === this.#current.last) return;
    this.#current = range;
    for (const listener of this.#listeners) listener(range);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!this.#isNudged) await this.#pause();
      if (signal.aborted) return;
      this.#isNudged = false;
      await this.look().catch((error: unknown) => this.#options.onError?.(error));
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), this.#options.pollMs ?? 250);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
