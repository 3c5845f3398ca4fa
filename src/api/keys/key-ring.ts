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
  readonly #parts: KeyRingParts;
  #keys: ReadonlyMap<string, ApiKey> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
  }

  /** Reads the keys, and again until `close`. */
  async start(): Promise<void> {
    await this.#look();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** The key that a text is, if it may be used at `now` (Unix seconds). */
  find(text: string, now: number): KeyLookup {
    const sent = readKey(text);
    if (!sent) return { state: 'unknown' };
    if (sent.network !== this.#parts.network) return { state: 'foreign' };
    const key = this.#keys.get(sent.id);
    if (!key || !isKey(key, text) || key.isRevoked) return { state: 'unknown' };
    return key.expiresAt !== null && key.expiresAt <= now ? { state: 'unknown' } : { state: 'known', key };
  }

  async #look(): Promise<void> {
    try {
      const keys = await this.#parts.read();
      this.#keys = new Map(keys.map((key) => [key.id, key]));
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#parts.log.warn({ error }, 'the API keys could not be read; those known stay');
      this.#isFailing = true;
    }
  }
}
