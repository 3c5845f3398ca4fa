import { LRUCache } from 'lru-cache';
import type { JsonFields } from '../../../ton/schema/reading.ts';
import type { ServeContext } from '../../serve-context.ts';

/** A decoded body: its fields, null if no layout fits, and its share of the answer's bytes. */
export interface CachedBody {
  readonly fields: JsonFields | null;
  readonly bytes: number;
}

/** About the bytes of JSON of all decoded bodies that a server keeps; as objects they take some 5 MiB (docs/decisions/0038). */
const MAX_BYTES = 4 * 1024 ** 2;
/** Bytes of an entry in addition to its body: its key, and its place in the cache. */
const ENTRY_BYTES = 200;

export type CachedBodies = LRUCache<string, CachedBody>;

const CACHES = new WeakMap<Pick<ServeContext, 'bodies'>, CachedBodies>();

/** Decoded bodies by their hash (base64) that answers of a server share: clients ask for a page again as soon as one row is new. */
export function cachedBodies(context: Pick<ServeContext, 'bodies'>): CachedBodies {
  const known = CACHES.get(context);
  if (known) return known;
  const made: CachedBodies = new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes + ENTRY_BYTES,
  });
  CACHES.set(context, made);
  return made;
}
