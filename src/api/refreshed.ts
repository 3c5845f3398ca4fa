/** Reader of a value, the pause between reads, and the log of failures. */
export interface RefreshedParts<T> {
  read(): Promise<T>;
  /** Pause between a look and the next one, milliseconds. */
  readonly everyMs: number;
  readonly log: { warn(facts: object, text: string): void };
  /** Logged at the first failure of a row. */
  readonly failure: string;
}

/** A value that the store keeps, in memory; the one of before stays while the store is away. */
export class Refreshed<T> {
  readonly #parts: RefreshedParts<T>;
  #value: T;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  /** `first`: until it has been read. */
  constructor(first: T, parts: RefreshedParts<T>) {
    this.#value = first;
    this.#parts = parts;
  }

  get value(): T {
    return this.#value;
  }

  /** Reads the value, and again until `close`. */
  async start(): Promise<void> {
    await this.#poll();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), this.#parts.everyMs);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    const { read, log, failure } = this.#parts;
    try {
      this.#value = await read();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ error }, failure);
      this.#isFailing = true;
    }
  }
}
