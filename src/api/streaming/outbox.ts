/**
 * What a client may do after its stream ends: `again`: open another one; `refused`: it broke a rule; `too long`: it
 * sent a message above the size limit.
 */
export type EndKind = 'again' | 'refused' | 'too long';

/** The connection of a stream, whatever its protocol. */
export interface Wire {
  /** Hands bytes to the socket; `done` is called when the system has taken them, or the connection is gone. */
  write(data: string | Buffer, done: () => void): void;
  /** Sends the reason and ends the stream after it. */
  end(reason: string, kind: EndKind): void;
  /** Ends it at once. */
  destroy(): void;
}

/** Bytes that wait for readers, of all streams of a server. */
export class OutboxTotal {
  readonly #most: number;
  readonly #outboxes = new Set<Outbox>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(outbox: Outbox): void {
    this.#outboxes.add(outbox);
  }

  delete(outbox: Outbox): void {
    this.#outboxes.delete(outbox);
  }

  /** Counts bytes; above the limit, the stream with most of them is dropped. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (bytes <= 0 || this.#bytes <= this.#most) return;
    const [slowest] = [...this.#outboxes].sort((a, b) => b.unsent - a.unsent);
    slowest?.drop('slow consumer: too many events of all streams wait to be read');
  }
}

/** Time for the reason to be read before a stream's connection is cut, ms. */
export const FAREWELL_MS = 5_000;

/** Sends the frames of one stream, and knows how many bytes of them wait for its client. */
export class Outbox {
  readonly #wire: Wire;
  readonly #most: number;
  readonly #total: OutboxTotal;
  readonly #onDrop: (reason: string) => void;
  #unsent = 0;
  #taken = 0;
  #takenBefore = -1;
  #isOpen = true;
  #ready: PromiseWithResolvers<void> | null = null;

  /** `most`: with so many bytes waiting there is no room for a further event. `onDrop` is called once, with the reason. */
  constructor(
    wire: Wire,
    { most, total }: { readonly most: number; readonly total: OutboxTotal },
    onDrop: (reason: string) => void,
  ) {
    this.#wire = wire;
    this.#most = most;
    this.#total = total;
    this.#onDrop = onDrop;
    total.add(this);
  }

  get unsent(): number {
    return this.#unsent;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a further event may wait. */
  get hasRoom(): boolean {
    return this.#unsent < this.#most;
  }

  /** Bytes that several streams are sent are counted for each of them. */
  send(data: string | Buffer): void {
    if (!this.#isOpen) return;
    const bytes = Buffer.byteLength(data);
    this.#unsent += bytes;
    this.#total.count(bytes);
    this.#wire.write(data, () => this.#settle(bytes));
  }

  /** Resolves when half of the room is free, or the stream is over. */
  async ready(): Promise<void> {
    if (!this.#isOpen || this.#unsent <= this.#most / 2) return;
    this.#ready ??= Promise.withResolvers();
    await this.#ready.promise;
  }

  /** To be called at an interval: drops a stream whose client has read nothing since the last call. */
  checkProgress(): void {
    if (!this.#isOpen) return;
    const isStuck = this.#unsent > 0 && this.#taken === this.#takenBefore;
    this.#takenBefore = this.#unsent > 0 ? this.#taken : -1;
    if (isStuck) this.drop('slow consumer: nothing was read for a while');
  }

  /** Ends the stream with a reason. */
  drop(reason: string, kind: EndKind = 'again'): void {
    if (!this.#isOpen) return;
    this.close();
    this.#wire.end(reason, kind);
    setTimeout(() => this.#wire.destroy(), FAREWELL_MS).unref();
    this.#onDrop(reason);
  }

  /** The connection is gone. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#total.delete(this);
    this.#total.count(-this.#unsent);
    this.#ready?.resolve();
  }

  #settle(bytes: number): void {
    if (this.#isOpen) this.#total.count(-bytes);
    this.#unsent -= bytes;
    this.#taken += bytes;
    if (this.#unsent > this.#most / 2) return;
    this.#ready?.resolve();
    this.#ready = null;
  }
}
