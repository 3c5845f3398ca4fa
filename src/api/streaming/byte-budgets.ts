import { LRUCache } from 'lru-cache';

interface Balance {
  bytes: number;
  at: number;
}

/** Bytes per second that each client may send. A client that sent less may send those of one second at once. */
export class ByteBudgets {
  readonly #perSecond: number;
  readonly #balances: LRUCache<string, Balance>;

  /** `maxClients`: beyond this number the least recently seen client starts with a full budget again. */
  constructor(perSecond: number, maxClients: number) {
    this.#perSecond = perSecond;
    this.#balances = new LRUCache({ max: maxClients });
  }

  /** Takes bytes that a client sent. Returns the milliseconds until the client may send more. `now`: milliseconds. */
  take(client: string, bytes: number, now = performance.now()): number {
    const balance = this.#balances.get(client) ?? { bytes: this.#perSecond, at: now };
    const earned = ((now - balance.at) / 1_000) * this.#perSecond;
    balance.bytes = Math.min(this.#perSecond, balance.bytes + earned) - bytes;
    balance.at = now;
    this.#balances.set(client, balance);
    return balance.bytes >= 0 ? 0 : Math.ceil((-balance.bytes / this.#perSecond) * 1_000);
  }
}
