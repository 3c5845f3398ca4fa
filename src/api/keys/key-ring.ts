import { Refreshed } from '../refreshed.ts';
import { type ApiKey, isKey, readKey } from './api-key.ts';

/** Result of looking a key up. `foreign`: it is of another network. */
export type KeyLookup =
  | { readonly state: 'known'; readonly key: ApiKey }
  | { readonly state: 'unknown' | 'foreign' };

/** Source of the keys, and where a failure to read them is said. */
export interface KeyRingParts {
  readonly network: string;
  read(): Promise<readonly ApiKey[]>;
  readonly log: { warn(facts: object, text: string): void };
}

/** A key that was created or revoked counts after so long, in every process that answers. */
const LOOK_MS = 2_000;

/** The keys of a network in memory, read anew every two seconds; those of before stay while the store is away. */
export class KeyRing {
  readonly #network: string;
  readonly #keys: Refreshed<ReadonlyMap<string, ApiKey>>;

  constructor({ network, read, log }: KeyRingParts) {
    this.#network = network;
    this.#keys = new Refreshed<ReadonlyMap<string, ApiKey>>(new Map(), {
      read: async () => new Map((await read()).map((key) => [key.id, key])),
      everyMs: LOOK_MS,
      log,
      failure: 'the API keys could not be read; those known stay',
    });
  }

  /** Reads the keys, and again until `close`. */
  start(): Promise<void> {
    return this.#keys.start();
  }

  close(): void {
    this.#keys.close();
  }

  /** The key that a text is, if it may be used at `now` (Unix seconds). */
  find(text: string, now: number): KeyLookup {
    const sent = readKey(text);
    if (!sent) return { state: 'unknown' };
    if (sent.network !== this.#network) return { state: 'foreign' };
    const key = this.#keys.value.get(sent.id);
    if (!key || !isKey(key, text) || key.isRevoked) return { state: 'unknown' };
    return key.expiresAt !== null && key.expiresAt <= now ? { state: 'unknown' } : { state: 'known', key };
  }
}
