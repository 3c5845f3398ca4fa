import type { ServeContext } from '../serve-context.ts';

/** Accounts whose code is remembered, at most: some 200 bytes each. */
const MOST = 200_000;
/**
 * How long a code that was read counts as the newest, milliseconds. A contract may replace its code, which is rare, and
 * an address book says no more of it than how a friendly address is written. Accounts without code are always read.
 */
const FRESH_MS = 60_000;

interface Known {
  readonly code: string;
  readonly until: number;
}

/** The newest code hashes (base64) that were read lately, by raw address; the longest unused goes first. */
export class CodeCache {
  readonly #known = new Map<string, Known>();
  #database = '';

  /** Forgets everything where another version of the projection is read. */
  of(database: string): this {
    if (database !== this.#database) this.#known.clear();
    this.#database = database;
    return this;
  }

  get(raw: string, now: number): string | undefined {
    const known = this.#known.get(raw);
    if (known === undefined) return undefined;
    this.#known.delete(raw);
    if (known.until < now) return undefined;
    this.#known.set(raw, known);
    return known.code;
  }

  set(raw: string, code: string, now: number): void {
    this.#known.set(raw, { code, until: now + FRESH_MS });
    if (this.#known.size <= MOST) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

const CACHES = new WeakMap<ServeContext, CodeCache>();

/** The cache of a server. */
export function codeCacheOf(context: ServeContext): CodeCache {
  const found = CACHES.get(context);
  if (found) return found;
  const made = new CodeCache();
  CACHES.set(context, made);
  return made;
}
