import { Refreshed } from '../refreshed.ts';
import { type ApiKey, isKey, readKey } from './api-key.ts';

/** Result of looking a key up. `foreign`: it is of another network. */
export type KeyLookup =
  | { readonly state: 'known'; readonly key: ApiKey }
  | { readonly state: 'unknown' | 'foreign' };

/** Source of the keys, and the log for read failures. */
export interface KeyRingParts {
  readonly network: string;
  read(): Promise<readonly ApiKey[]>;
  readonly log: { warn(facts: object, text: string): void };
}

/** Pause between two reads of the keys, ms: with the read itself, a change counts within two seconds in every process. */
const POLL_INTERVAL_MS = 1_000;

/** The keys of a network in memory, read every second. The last ones that were read stay while the store is away. */
export class KeyRing {
  readonly #network: string;
  readonly #keys: Refreshed<ReadonlyMap<string, ApiKey>>;

  constructor({ network, read, log }: KeyRingParts) {
    this.#network = network;
    this.#keys = new Refreshed<ReadonlyMap<string, ApiKey>>(new Map(), {
      read: async () => new Map((await read()).map((key) => [key.id, key])),
      everyMs: POLL_INTERVAL_MS,
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
    return key && isKey(key, text) && isValid(key, now) ? { state: 'known', key } : { state: 'unknown' };
  }

  /** Returns the newest state of a key that was found before, or null if it may not be used at `now` (Unix seconds). */
  renew({ id, hash }: Pick<ApiKey, 'id' | 'hash'>, now: number): ApiKey | null {
    const key = this.#keys.value.get(id);
    return key && key.hash === hash && isValid(key, now) ? key : null;
  }
}

function isValid({ isRevoked, expiresAt }: ApiKey, now: number): boolean {
  return !isRevoked && (expiresAt === null || expiresAt > now);
}
