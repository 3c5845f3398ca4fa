import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type ConfirmedRange, extendConfirmed, joinRanges, readConfirmed } from './confirmed-range.ts';
import { PollSchedule } from './poll-schedule.ts';

export interface WatermarkOptions {
  readonly client: StoreClient;
  /** Database of the projection version that is served. */
  readonly database: string;
  /** Partition of a projection in chain order. */
  readonly partition?: number;
  /** Pause between polls without requests, ms. Default as in `PollSchedule`. */
  readonly pollMs?: number;
  /**
   * How long the range stays although a position above a gap is confirmed, ms. Lanes fill in parallel, so short gaps at
   * an epoch's border are usual: a jump would hide everything below. Default 30,000.
   */
  readonly gapWaitMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** Follows the contiguous confirmed range that holds the head. */
export class WatermarkReader {
  readonly #options: WatermarkOptions;
  readonly #schedule: PollSchedule;
  readonly #listeners = new Set<(range: ConfirmedRange) => void>();
  #current: ConfirmedRange | null = null;
  #gapSince: number | null = null;

  constructor(options: WatermarkOptions) {
    this.#options = options;
    const { pollMs: pauseMs, onError = () => {} } = options;
    this.#schedule = new PollSchedule({ poll: () => this.poll(), pauseMs, onError });
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

  /** Looks once, throwing what goes wrong, and then again and again, reporting to `onError` and going on. */
  start(): Promise<void> {
    return this.#schedule.start();
  }

  stop(): Promise<void> {
    return this.#schedule.stop();
  }

  /** See `PollSchedule.freshen`. */
  freshen(): Promise<void> {
    return this.#schedule.freshen();
  }

  /** This process confirmed a range: if it follows the known one, no poll is needed. */
  confirmed(range: ConfirmedRange): void {
    this.#schedule.announced();
    const joined = this.#current && joinRanges(this.#current, range);
    if (joined) this.#move(joined);
    else this.#schedule.nudge();
  }

  /** One look, now. */
  async poll(): Promise<void> {
    const { client, database, partition } = this.#options;
    if (!this.#current) return this.#jump(await readConfirmed(client, database, partition));
    for (let more = true; more; ) {
      const extension = await extendConfirmed(client, database, this.#current, partition);
      more = extension.more;
      // The range that this process confirmed meanwhile may be newer than the one that was read.
      this.#move(joinRanges(this.#current, extension.range) ?? this.#current);
      if (!more && this.#isGapOld(extension.highest))
        this.#jump(await readConfirmed(client, database, partition));
    }
  }

  #isGapOld(highest: number): boolean {
    if (this.#current && highest <= this.#current.last) {
      this.#gapSince = null;
      return false;
    }
    this.#gapSince ??= performance.now();
    if (performance.now() - this.#gapSince < (this.#options.gapWaitMs ?? 30_000)) return false;
    this.#gapSince = null;
    return true;
  }

  /** Goes to the range that holds the head. */
  #jump(head: ConfirmedRange | null): void {
    if (head) this.#move((this.#current && joinRanges(this.#current, head)) ?? head);
  }

  #move(range: ConfirmedRange): void {
    if (range.first === this.#current?.first && range.last === this.#current.last) return;
    this.#current = range;
    this.#schedule.changed();
    for (const listener of this.#listeners) listener(range);
  }
}
