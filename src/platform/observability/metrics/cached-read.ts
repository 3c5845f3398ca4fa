import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../errors/error-kinds.ts';

export interface CachedReadOptions {
  /** A value is read again once it is older, milliseconds. */
  readonly maxAgeMs: number;
  /** A scrape waits so long for a read, milliseconds; default 2,000. */
  readonly waitMs?: number;
}

/** A read did not end in time; it goes on, and the next call may have its value. */
export class ReadTooSlowError extends UnavailableError {
  constructor(waitMs: number) {
    super(`no answer in ${waitMs} ms`);
  }
}

const WAIT_MS = 2_000;

/** A value that costs something to read: read once in a while, one read at a time, shared by all who ask. */
export class CachedRead<Value> {
  readonly #read: () => Promise<Value>;
  readonly #maxAgeMs: number;
  readonly #waitMs: number;
  #cached: { readonly value: Value; readonly at: number } | null = null;
  #reading: Promise<Value> | null = null;

  constructor(read: () => Promise<Value>, { maxAgeMs, waitMs = WAIT_MS }: CachedReadOptions) {
    this.#read = read;
    this.#maxAgeMs = maxAgeMs;
    this.#waitMs = waitMs;
  }

  /** @throws ReadTooSlowError, or what the read threw */
  async value(): Promise<Value> {
    if (this.#cached && performance.now() - this.#cached.at < this.#maxAgeMs) return this.#cached.value;
    this.#reading ??= this.#start();
    const late = new AbortController();
    const timeout = sleep(this.#waitMs, null, { signal: late.signal, ref: false }).then(() => {
      throw new ReadTooSlowError(this.#waitMs);
    });
    timeout.catch(() => {});
    try {
      return await Promise.race([this.#reading, timeout]);
    } finally {
      late.abort();
    }
  }

  #start(): Promise<Value> {
    const reading = this.#read()
      .then((value) => {
        this.#cached = { value, at: performance.now() };
        return value;
      })
      .finally(() => {
        this.#reading = null;
      });
    // Those who ask may all have left by then.
    reading.catch(() => {});
    return reading;
  }
}
