import { processorWaitMs } from '../../platform/threads/processor-wait.ts';

/** A batch at the head usually takes up to so many times the briefest of late. */
const USUAL_FACTOR = 2;
/** Or so long, milliseconds, whatever the briefest was: batches vary. */
const USUAL_MS = 800;
/** Each further step makes it longer by this part: else steps that gathered would make more of them gather. */
const OF_FURTHER_STEP = 0.25;
/** Where it took longer, others use the store: the next one leaves them so many times what it took beyond that. */
const PAUSE_FACTOR = 3;
/** From one batch to the next where this thread waits for a processor all the time, milliseconds; so much less where it waits less of it. */
const STARVED_MS = 5_000;
/** However long batches take, the next one begins after this. */
const LONGEST_PAUSE_MS = 1_500;
/** The briefest batch is forgotten by and by: doubled after some 350 batches. */
const FORGETTING = 1.002;

/**
 * When the next batch at the head may begin: at once while store and processors are free, later where they are busy with others
 * (decisions 87 and 92).
 */
export class HeadPace {
  #briefestMs = Number.POSITIVE_INFINITY;
  #intervalMs = 0;
  readonly #waitMs: () => number;
  readonly #now: () => number;
  #last: { readonly at: number; readonly waitMs: number };

  /** `waitMs` tells how long this thread has waited for a processor so far; `now`: a monotonic clock, milliseconds. */
  constructor(waitMs: () => number = processorWaitMs, now: () => number = () => performance.now()) {
    this.#waitMs = waitMs;
    this.#now = now;
    this.#last = { at: now(), waitMs: waitMs() };
  }

  /** From the beginning of the last batch to that of the next, milliseconds at least. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** A batch of so many masterchain steps was written in so many milliseconds. */
  wrote(ms: number, steps: number): void {
    this.#briefestMs = Math.min(ms, this.#briefestMs * FORGETTING);
    const usual =
      Math.max(USUAL_MS, this.#briefestMs * USUAL_FACTOR) * (1 + Math.max(0, steps - 1) * OF_FURTHER_STEP);
    const beyond = Math.max(0, ms - usual);
    const interval = Math.max(ms + beyond * PAUSE_FACTOR, this.#waitedShare() * STARVED_MS);
    this.#intervalMs = Math.min(LONGEST_PAUSE_MS, interval);
  }

  /** Part of the time since the batch before in which this thread was ready and waited for a processor. */
  #waitedShare(): number {
    const before = this.#last;
    this.#last = { at: this.#now(), waitMs: this.#waitMs() };
    return (this.#last.waitMs - before.waitMs) / Math.max(1, this.#last.at - before.at);
  }
}
