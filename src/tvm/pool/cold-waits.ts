import type { TvmCaller } from './tvm-calls.ts';

/** Maximum wait for the first thread, milliseconds. Servers end connections after about 30 s without a byte. */
export const MAX_COLD_MS = 25_000;

interface Wait {
  readonly caller: TvmCaller;
  readonly onLate: () => void;
  /** Lets the time of the caller continue; null while it runs. */
  resume: (() => void) | null;
}

/**
 * Calls that wait for a thread. While the pool is cold (no thread is ready), the time of their callers is stopped: the
 * start of a thread takes seconds on a busy machine, and the caller's time is for its call.
 */
export class ColdWaits {
  readonly #waits = new Set<Wait>();
  readonly #maxColdMs: number;
  #isCold = true;

  constructor(maxColdMs: number = MAX_COLD_MS) {
    this.#maxColdMs = maxColdMs;
  }

  /** Adds a call; the result removes it. `onLate` is called if the pool stays cold too long. */
  begin(caller: TvmCaller, onLate: () => void): () => void {
    const wait: Wait = { caller, onLate, resume: null };
    this.#waits.add(wait);
    if (this.#isCold) this.#stop(wait);
    return () => {
      this.#waits.delete(wait);
      wait.resume?.();
    };
  }

  /** To be called when the pool gets its first ready thread, or loses its last one. */
  set isCold(isCold: boolean) {
    if (isCold === this.#isCold) return;
    this.#isCold = isCold;
    for (const wait of this.#waits)
      if (isCold) this.#stop(wait);
      else wait.resume?.();
  }

  #stop(wait: Wait): void {
    const resumeTime = wait.caller.stopTime?.();
    const timer = setTimeout(wait.onLate, this.#maxColdMs);
    wait.resume = () => {
      clearTimeout(timer);
      resumeTime?.();
      wait.resume = null;
    };
  }
}
