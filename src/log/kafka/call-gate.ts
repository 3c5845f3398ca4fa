import { setTimeout as sleep } from 'node:timers/promises';
import { BusClosedError } from '../errors.ts';

/** Lets calls through while the bus is open, and knows which are under way when it closes. */
export class CallGate {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  /** Aborts when the bus begins to close: calls that only wait end then. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** @throws BusClosedError */
  async run<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
    if (this.#closing.signal.aborted) throw new BusClosedError(operation);
    const running = call();
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  /** Refuses new calls and waits for those under way, for `ms` at most. */
  async close(ms: number): Promise<void> {
    this.#closing.abort();
    const late = new AbortController();
    await Promise.race([
      Promise.allSettled(this.#underWay),
      sleep(ms, undefined, { signal: late.signal }).catch(() => {}),
    ]);
    late.abort();
  }
}
