import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type Pointer, type Pointers, readPointers } from './projection-pointer.ts';

/**
 * Followers share a look that is not older, milliseconds: one that asks every second learns of a move before its moment,
 * which is two seconds later (`ANNOUNCE_MS`).
 */
const SHARED_MS = 600;

/** The pointers of a network's projections, read once for all who follow them. */
export class PointerWatch {
  readonly #client: StoreClient;
  readonly #network: string;
  #look: { readonly at: number; readonly pointers: Promise<Pointers> } | null = null;

  constructor(client: StoreClient, network: string) {
    this.#client = client;
    this.#network = network;
  }

  /** A projection's pointer, not older than `SHARED_MS`. */
  async of(projection: string): Promise<Pointer> {
    const at = performance.now();
    if (!this.#look || at - this.#look.at > SHARED_MS) {
      const pointers = readPointers(this.#client, this.#network);
      this.#look = { at, pointers };
      // The next follower asks again.
      pointers.catch(() => {
        this.#look = null;
      });
    }
    return (await this.#look.pointers).get(projection) ?? { version: null, next: null };
  }
}
