/** How often answers read a version, and how often they needed a statement because steps were missing. */
export class IndexUse {
  readonly #changed: () => void;
  #reads = false;
  #lacks = 0;
  #isCounted = false;

  /** `changed`: called after answers lacked steps. */
  constructor(changed: () => void = () => {}) {
    this.#changed = changed;
  }

  /** True if an answer has read the version since `forgetReads`. */
  get isRead(): boolean {
    return this.#reads;
  }

  /** Answers that lacked steps, less those that were paid for. Negative after a large payment. */
  get lacks(): number {
    return this.#lacks;
  }

  /** An answer reads rows. */
  read(): void {
    this.#reads = true;
  }

  /** An answer lacks steps. Keys of one turn of the event loop share a statement, so they count once. */
  lacked(): void {
    this.#reads = true;
    if (this.#isCounted) return;
    this.#isCounted = true;
    setImmediate(() => {
      this.#isCounted = false;
    });
    this.#lacks++;
    this.#changed();
  }

  /** Adds the use of another process. */
  add(lacks: number): void {
    this.#reads = true;
    this.#lacks += lacks;
    if (lacks > 0) this.#changed();
  }

  /** Statements were spent on filling. */
  pay(statements: number): void {
    this.#lacks -= statements;
  }

  /** Nothing is missing any more: what answers lacked was about other steps. */
  settle(): void {
    this.#lacks = Math.min(0, this.#lacks);
  }

  forgetReads(): void {
    this.#reads = false;
  }

  /** Returns what was counted, and counts from nothing. */
  take(): number {
    const lacks = this.#lacks;
    this.#lacks = 0;
    this.#reads = false;
    return lacks;
  }
}
