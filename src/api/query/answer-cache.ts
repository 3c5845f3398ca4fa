import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';

/** What a cache belongs to: a server, and its version of `base`. */
export interface CacheScope {
  readonly context: ServeContext;
  readonly databases: { readonly base: string };
}

/**
 * A cache between answers of a server. It begins empty with each version of `base`. `make` bounds its size: all caches
 * together take some 130 MB when they are full.
 */
export function answerCache<Cache>(make: () => Cache): (scope: CacheScope) => Cache {
  const made = new WeakMap<ServeContext, { readonly database: string; readonly cache: Cache }>();
  return ({ context, databases: { base } }) => {
    const found = made.get(context);
    if (found?.database === base) return found.cache;
    const cache = make();
    made.set(context, { database: base, cache });
    return cache;
  };
}

/** Names a visible range: absence is valid as long as the range is. */
export function rangeName({ first, last }: VisibleRange): string {
  return `${first}-${last}`;
}
