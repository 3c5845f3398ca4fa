/** Entries by client: clients take turns, the entries of one in their order. */
export class FairQueue<Entry extends { readonly client: string }> {
  /** The client whose turn is next comes first. No list is empty. */
  readonly #clients = new Map<string, Set<Entry>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    const own = this.#clients.get(entry.client);
    if (own) own.add(entry);
    else this.#clients.set(entry.client, new Set([entry]));
    this.#size++;
  }

  /** Whether the entry was still in the queue. */
  remove(entry: Entry): boolean {
    const own = this.#clients.get(entry.client);
    if (!own?.delete(entry)) return false;
    if (own.size === 0) this.#clients.delete(entry.client);
    this.#size--;
    return true;
  }

  /** The next one in turn. */
  take(): Entry | undefined {
    for (const [client, own] of this.#clients) {
      const [entry] = own;
      this.remove(entry as Entry);
      if (own.size > 0) {
        this.#clients.delete(client);
        this.#clients.set(client, own);
      }
      return entry;
    }
    return undefined;
  }

  getCount(client: string): number {
    return this.#clients.get(client)?.size ?? 0;
  }

  /** The newest entry of the client that has most. */
  lastOfLargest(): Entry | undefined {
    let largest: Set<Entry> | undefined;
    for (const own of this.#clients.values()) if (own.size > (largest?.size ?? 0)) largest = own;
    return largest && [...largest].at(-1);
  }
}
