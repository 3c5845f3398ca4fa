import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.ts';
import { isWaitOver } from './caller.ts';
import { SharedFlights } from './shared-flights.ts';

export interface ResponseCacheOptions {
  /** Of all entries together: keys, bodies and what an entry costs beside them. 0 caches nothing. */
  readonly maxBytes: number;
  /** Default 16,384. */
  readonly maxEntries?: number;
  /** Answers that are being made and shared at the same time; further ones are made without sharing. Default 256. */
  readonly maxFlights?: number;
  /** Milliseconds of a monotonic clock; default `performance.now`. */
  readonly now?: () => number;
}

/** Dead letters that are retried add rows to steps that are visible already: answers show them after so long. */
const TTL_MS = 60_000;
/** The entry's slots in the cache, the buffer's header and the key's: more than measured. */
const ENTRY_BYTES = 512;

/**
 * Response bodies of one scope (a version of the projection and the range of steps that is visible), by a key of
 * bounded length. Requests for the same key at the same time share one answer. The least recently used go first.
 */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Buffer> | null;
  readonly #maxFlights: number;
  #flights = new SharedFlights();
  #scope = '';

  constructor({ maxBytes, maxEntries = 16_384, maxFlights = 256, now }: ResponseCacheOptions) {
    this.#maxFlights = maxFlights;
    this.#bodies =
      maxBytes === 0
        ? null
        : new LRUCache({
            max: maxEntries,
            maxSize: maxBytes,
            sizeCalculation: (body, key) => body.length + Buffer.byteLength(key) + ENTRY_BYTES,
            ttl: TTL_MS,
            // No timer: an entry's age is looked at when it is asked for.
            ttlResolution: 0,
            ...(now ? { perf: { now } } : {}),
          });
  }

  /** Bytes of all entries, as they are counted. */
  get bytes(): number {
    return this.#bodies?.calculatedSize ?? 0;
  }

  /**
   * The body for `key` in `scope`. Where none is cached, `make` makes it for a caller that stays as long as anybody
   * waits for it; failures are not cached.
   */
  async body(
    scope: string,
    key: string,
    caller: Caller,
    make: (shared: Caller) => Promise<Buffer>,
  ): Promise<Buffer> {
    const bodies = this.#bodies;
    if (!bodies) return make(caller);
    for (;;) {
      if (scope !== this.#scope) this.#begin(scope);
      const cached = bodies.get(key);
      if (cached) return cached;
      const flights = this.#flights;
      const joined = flights.join(key, caller);
      try {
        if (joined) return await joined;
        if (flights.count >= this.#maxFlights) return this.#keep(flights, key, await make(caller));
        return await flights.start(key, caller, async (shared) =>
          this.#keep(flights, key, await make(shared)),
        );
      } catch (error) {
        // The time that ended was that of the request which began the answer.
        if (!joined || !isWaitOver(error) || caller.signal.aborted) throw error;
      }
    }
  }

  #begin(scope: string): void {
    this.#scope = scope;
    this.#bodies?.clear();
    this.#flights = new SharedFlights();
  }

  /** Keeps a body unless its scope has passed meanwhile. */
  #keep(flights: SharedFlights, key: string, body: Buffer): Buffer {
    if (flights === this.#flights) this.#bodies?.set(key, ownBytes(body));
    return body;
  }
}

/** The body in memory of its own: a short one may lie in a slab of Node's that is many times as long. */
function ownBytes(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}
