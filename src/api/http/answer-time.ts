/** A longer delay would overflow Node's timers and fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time of one answer. It can be stopped while the server itself is not ready. */
export class AnswerTime {
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #deadline: number;
  #stops = 0;
  #stoppedAt = 0;
  #isOver = false;

  /** `onEnd` is called when the time is used up, unless `end` was called before. */
  constructor(timeoutMs: number, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#deadline = performance.now() + timeoutMs;
    this.#start();
  }

  /** The end of the time in milliseconds of `performance.now()`. It moves while the time is stopped. */
  get deadline(): number {
    return this.#stops > 0 ? this.#deadline + performance.now() - this.#stoppedAt : this.#deadline;
  }

  /** Stops the time until the result is called; it continues when all stops have ended. */
  stop(): () => void {
    if (this.#stops++ === 0) {
      this.#stoppedAt = performance.now();
      clearTimeout(this.#timer);
    }
    let isStopped = true;
    return () => {
      if (!isStopped) return;
      isStopped = false;
      this.#deadline += this.#stops === 1 ? performance.now() - this.#stoppedAt : 0;
      if (--this.#stops === 0) this.#start();
    };
  }

  /** The answer is complete: `onEnd` is not called any more. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    if (this.#isOver) return;
    const leftMs = Math.max(0, this.#deadline - performance.now());
    this.#timer = setTimeout(this.#onEnd, Math.min(leftMs, MAX_TIMER_MS));
  }
}
