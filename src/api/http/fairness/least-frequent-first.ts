/** Ranks: so many as a count of connections has digits to the base of two, up to half a million. */
const RANKS = 20;
/** Counts are halved at this interval, milliseconds. */
const HALVED_MS = 1_000;

/** Something of a client that waits. */
interface Entry {
  readonly client: string;
}

/**
 * Entries of clients with fewer recent ones come first, entries of one rank in their order: a flood delays its own
 * clients. The rank is the order of magnitude of a client's recent count.
 */
export class LeastFrequentFirst<E extends Entry> {
  readonly #ranks: readonly Set<E>[] = Array.from({ length: RANKS }, () => new Set());
  readonly #rankByEntry = new Map<E, number>();
  readonly #came = new Map<string, number>();
  #halvedAt = performance.now();

  get size(): number {
    return this.#rankByEntry.size;
  }

  add(entry: E): void {
    const rank = this.#count(entry.client);
    this.#ranks[rank]!.add(entry);
    this.#rankByEntry.set(entry, rank);
  }

  delete(entry: E): void {
    const rank = this.#rankByEntry.get(entry);
    if (rank === undefined) return;
    this.#ranks[rank]!.delete(entry);
    this.#rankByEntry.delete(entry);
  }

  /** Takes the first entry of those who came least. */
  take(): E | undefined {
    return this.#pick(this.#ranks.find(({ size }) => size > 0));
  }

  /** Takes an entry of the busiest clients, if they are busier than the given entry's client. */
  takeBusier(than: E): E | undefined {
    const busiest = this.#ranks.findLastIndex(({ size }) => size > 0);
    return busiest > (this.#rankByEntry.get(than) ?? RANKS) ? this.#pick(this.#ranks[busiest]) : undefined;
  }

  #pick(entries: ReadonlySet<E> | undefined): E | undefined {
    const [entry] = entries ?? [];
    if (entry) this.delete(entry);
    return entry;
  }

  /** Counts a client, and returns its rank. */
  #count(client: string): number {
    this.#halve();
    const count = (this.#came.get(client) ?? 0) + 1;
    this.#came.set(client, count);
    return Math.min(RANKS - 1, Math.floor(Math.log2(count)));
  }

  #halve(): void {
    const now = performance.now();
    if (now - this.#halvedAt < HALVED_MS) return;
    const halvings = Math.floor((now - this.#halvedAt) / HALVED_MS);
    this.#halvedAt = now;
    for (const [client, count] of this.#came) {
      const left = Math.floor(count / 2 ** halvings);
      if (left > 0) this.#came.set(client, left);
      else this.#came.delete(client);
    }
  }
}
