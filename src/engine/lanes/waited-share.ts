import { processorWaitMs } from '../../platform/threads/processor-wait.ts';

/** Validity of a measurement, milliseconds: lanes that ask together get the same value. */
const POLL_INTERVAL_MS = 1_000;

/** For what part of its time a thread was ready and waited for a processor, which others had meanwhile. */
export class WaitedShare {
  readonly #waitMs: () => number;
  readonly #now: () => number;
  #last: { readonly at: number; readonly waitMs: number };
  #share = 0;

  /** `waitMs` returns the thread's total waiting time; `now`: a monotonic clock, milliseconds. */
  constructor(waitMs: () => number = processorWaitMs, now: () => number = () => performance.now()) {
    this.#waitMs = waitMs;
    this.#now = now;
    this.#last = { at: now(), waitMs: waitMs() };
  }

  /** From the look before the last one to that, a second or more; 0 to 1. */
  get current(): number {
    const { at, waitMs } = this.#last;
    const now = this.#now();
    const passed = now - at;
    if (passed >= POLL_INTERVAL_MS) {
      this.#last = { at: now, waitMs: this.#waitMs() };
      this.#share = (this.#last.waitMs - waitMs) / passed;
    }
    return this.#share;
  }
}

/** Of this thread, for all its lanes. */
export const WAITED_SHARE = new WaitedShare();
