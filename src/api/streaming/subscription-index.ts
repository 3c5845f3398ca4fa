import type { EventType, Subscription } from './subscription.ts';

/** An owner of subscriptions. */
export interface Subscribed {
  readonly subscription: Subscription;
}

/** Finds those who may want an event by what it is about. */
export class SubscriptionIndex<T extends Subscribed> {
  readonly #byAddress = new Map<string, Set<T>>();
  readonly #byHash = new Map<string, Set<T>>();
  readonly #counts = new Map<EventType, number>();

  static of<T extends Subscribed>(one: T): SubscriptionIndex<T> {
    const index = new SubscriptionIndex<T>();
    index.add(one);
    return index;
  }

  add(one: T): void {
    const { types, addresses, hashes } = one.subscription;
    for (const address of addresses) put(this.#byAddress, address, one);
    for (const hash of hashes) put(this.#byHash, hash, one);
    for (const type of types) this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  delete(one: T): void {
    const { types, addresses, hashes } = one.subscription;
    for (const address of addresses) take(this.#byAddress, address, one);
    for (const hash of hashes) take(this.#byHash, hash, one);
    for (const type of types) this.#counts.set(type, (this.#counts.get(type) ?? 0) - 1);
  }

  /** Whether anybody wants events of a type. */
  has(type: EventType): boolean {
    return (this.#counts.get(type) ?? 0) > 0;
  }

  /** Those who want events of a type about one of the addresses, each once. */
  byAddress(type: EventType, addresses: Iterable<string>): ReadonlySet<T> {
    const found = new Set<T>();
    if (!this.has(type)) return found;
    for (const address of addresses)
      for (const one of this.#byAddress.get(address) ?? [])
        if (one.subscription.types.has(type)) found.add(one);
    return found;
  }

  /** Those who want the trace of an external message. */
  byHash(hash: string): ReadonlySet<T> {
    return this.#byHash.get(hash) ?? new Set();
  }
}

function put<T>(map: Map<string, Set<T>>, key: string, one: T): void {
  const found = map.get(key);
  if (found) found.add(one);
  else map.set(key, new Set([one]));
}

function take<T>(map: Map<string, Set<T>>, key: string, one: T): void {
  const found = map.get(key);
  if (found?.delete(one) && found.size === 0) map.delete(key);
}
