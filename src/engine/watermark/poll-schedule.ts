import { waitAtMost } from '../../platform/retry/wait-at-most.ts';

/** Pause between polls without requests, milliseconds. */
const PAUSE_MS = 1_000;
/** The same after a long time without a change: a twentieth of it, up to this. */
const QUIET_PAUSE_MS = 5_000;
const QUIET_PAUSE_SHARE = 1 / 20;
/** The same if this process writes and announces: answers poll on their own for other writers. */
const ANNOUNCED_PAUSE_MS = 120_000;
/** How old a look may be, milliseconds. */
interface Ages {
  /** From then on an answer begins another: so much later is seen what another process wrote. */
  readonly fresh: number;
  /** From then on an answer waits for it. */
  readonly stale: number;
}

const AGES: Ages = { fresh: 50, stale: 500 };
/** A look may have this part of the age of the last change, up to the limit: what has rested for long is asked rarely. */
const QUIET_SHARE = 1 / 100;
const QUIET_FRESH_MS = 400;
/** The same if this process writes and announces: another writer only exists after a takeover or in parallel. */
const ANNOUNCED_AGES: Ages = { fresh: 2_000, stale: 5_000 };
/** The same shortly after an announcement: this process writes the head. */
const RECENT_AGES: Ages = { fresh: 10_000, stale: 30_000 };
/** Age of a recent announcement, milliseconds. */
const RECENT_MS = 2_000;
/** Longest wait for it: then the answer is read from what is known. */
const MAX_WAIT_MS = 500;

export interface PollOptions {
  /** One look at the store. */
  readonly poll: () => Promise<void>;
  /** Pause between polls without requests, ms. Default 1,000; 120,000 after the writer's first announcement. */
  readonly pauseMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Schedules polls of the store: on requests, rarely otherwise, and almost never if the writer announces. */
export class PollSchedule {
  readonly #options: PollOptions;
  /** The last look that succeeded began then. */
  #polledAt = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | null = null;
  /** Its end, or the longest wait of all waiting answers. */
  #waiting: Promise<void> | null = null;
  /** Something was written that no look has begun after. */
  #isNudged = false;
  /** Time of the last change that was seen. */
  #changedAt = Number.NEGATIVE_INFINITY;
  /** Time of the writer's last announcement in this process; null if never. */
  #announcedAt: number | null = null;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
  }

  /** Looks once, throwing what goes wrong, and then again and again, reporting to `onError` and going on. */
  async start(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#options.poll();
    } catch (error) {
      this.#isRunning = false;
      throw error;
    }
    this.#polledAt = performance.now();
    this.#changedAt = this.#polledAt;
    // It may have been stopped meanwhile.
    if (this.#isRunning) this.#pause();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#isNudged = false;
    clearTimeout(this.#timer);
    await this.#polling;
  }

  /** The writer in this process announced its writes: polls are for other writers. */
  announced(): void {
    this.#announcedAt = performance.now();
  }

  /** A look found something new. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /** A write that only a poll shows: the next one begins at once. */
  nudge(): void {
    if (this.#polling) this.#isNudged = true;
    else void this.#poll();
  }

  /** Call before an answer: polls if the last poll is old, and waits for it if it is very old. */
  async freshen(): Promise<void> {
    const now = performance.now();
    const age = now - this.#polledAt;
    const { fresh, stale } = this.#getAges(now);
    if (!this.#isRunning || age < fresh) return;
    const poll = this.#poll();
    if (age < stale) return;
    this.#waiting ??= waitAtMost(poll, MAX_WAIT_MS);
    await this.#waiting;
  }

  /** The look under way, or one that begins now; it never rejects. */
  #poll(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    this.#polling ??= this.#run();
    return this.#polling;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    const began = performance.now();
    try {
      await this.#options.poll();
      this.#polledAt = began;
    } catch (error) {
      this.#options.onError(error);
    }
    this.#polling = null;
    this.#waiting = null;
    if (!this.#isRunning) return;
    if (this.#isNudged) {
      this.#isNudged = false;
      void this.#poll();
    } else this.#pause();
  }

  #pause(): void {
    this.#timer = setTimeout(() => void this.#poll(), this.#options.pauseMs ?? this.#getPause());
  }

  #getPause(): number {
    if (this.#announcedAt !== null) return ANNOUNCED_PAUSE_MS;
    const quietMs = (performance.now() - this.#changedAt) * QUIET_PAUSE_SHARE;
    return Math.max(PAUSE_MS, Math.min(quietMs, QUIET_PAUSE_MS));
  }

  #getAges(now: number): Ages {
    if (this.#announcedAt !== null) return now - this.#announcedAt < RECENT_MS ? RECENT_AGES : ANNOUNCED_AGES;
    const quietMs = Math.min((now - this.#changedAt) * QUIET_SHARE, QUIET_FRESH_MS);
    return { ...AGES, fresh: Math.max(AGES.fresh, quietMs) };
  }
}
