/**
 * A client that is created on demand and discarded when a call on it fails: kafkajs clients do not recover from every
 * state after a lost broker.
 */
export class Reconnecting<Client> {
  readonly #open: () => Promise<Client>;
  readonly #close: (client: Client) => Promise<void>;
  #current: Promise<Client> | null = null;

  constructor(open: () => Promise<Client>, close: (client: Client) => Promise<void>) {
    this.#open = open;
    this.#close = close;
  }

  async use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    this.#current ??= this.#open();
    const current = this.#current;
    try {
      return await work(await current);
    } catch (error) {
      if (this.#current === current) this.#current = null;
      this.#dispose(current);
      throw error;
    }
  }

  /** Ends the connection; the next call makes another. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    if (current) await current.then(this.#close).catch(() => {});
  }

  /** Not waited for: a client that failed may wait for answers that never come. */
  #dispose(current: Promise<Client>): void {
    void current.then(this.#close).catch(() => {});
  }
}
