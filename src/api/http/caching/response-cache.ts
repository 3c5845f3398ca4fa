import { LRUCache } from 'lru-cache';
import type { Counter, Metrics } from '../../../platform/observability/metrics/metrics.ts';
import type { Caller } from '../../caller.ts';
import { isWaitOver } from '../caller.ts';
import { SharedFlights } from './shared-flights.ts';

export interface ResponseCacheOptions {
  /** Largest size of all entries with their keys and overhead, bytes. 0 caches nothing. */
  readonly maxBytes: number;
  /** Default 16,384. */
  readonly maxEntries?: number;
  /** Answers that are being made and shared at the same time; further ones are made without sharing. Default 256. */
  readonly maxFlights?: number;
  /** Counters of hits and misses; default: none. */
  readonly metrics?: Metrics | undefined;
  /** Milliseconds of a monotonic clock; default `performance.now`. */
  readonly now?: () => number;
}

/** Dead letters that are retried add rows to steps that are visible already: answers show them after so long. */
const TTL_MS = 60_000;
/** The entry's slots in the cache, the buffer's header and the key's: more than measured. */
const ENTRY_BYTES = 512;

/**
 * Response bodies by a key of bounded length, which contains versions and range. Entries of an old version or range are
 * no longer requested, and are evicted as least recently used. Concurrent requests for the same key share one answer.
 */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Buffer> | null;
  readonly #maxFlights: number;
  readonly #requests: Counter<'result'> | undefined;
  readonly #flights = new SharedFlights();

  constructor({ maxBytes, maxEntries = 16_384, maxFlights = 256, now, metrics }: ResponseCacheOptions) {
    this.#maxFlights = maxFlights;
    this.#requests = metrics && this.#count(metrics);
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

  /** Counted bytes of all entries. */
  get bytes(): number {
    return this.#bodies?.calculatedSize ?? 0;
  }

  /**
   * The body for `key`. Where none is cached, `make` makes it for a caller that stays as long as anybody waits for it;
   * failures are not cached.
   */
  async body(key: string, caller: Caller, make: (shared: Caller) => Promise<Buffer>): Promise<Buffer> {
    const bodies = this.#bodies;
    if (!bodies) return make(caller);
    const makeCached = async (shared: Caller) => {
      const body = await make(shared);
      bodies.set(key, ownBytes(body));
      return body;
    };
    for (;;) {
      const cached = bodies.get(key);
      if (cached) {
        this.#requests?.inc({ result: 'hit' });
        return cached;
      }
      const joined = this.#flights.join(key, caller);
      this.#requests?.inc({ result: joined ? 'shared' : 'miss' });
      try {
        if (joined) return await joined;
        if (this.#flights.count >= this.#maxFlights) return await makeCached(caller);
        return await this.#flights.start(key, caller, makeCached);
      } catch (error) {
        // The time that ended was that of the request which began the answer.
        if (!joined || !isWaitOver(error) || caller.signal.aborted) throw error;
      }
    }
  }

  #count(metrics: Metrics): Counter<'result'> {
    metrics.gauge(
      { name: 'tonhouse_response_cache_bytes', help: 'Bytes of the response cache', together: 'sum' },
      () => this.bytes,
    );
    return metrics.counter({
      name: 'tonhouse_response_cache_requests_total',
      help: 'Requests of cached routes: hit (from the cache), shared (an answer under way), miss (made)',
      labels: ['result'],
    });
  }
}

/** The body in memory of its own: a short one may lie in a slab of Node's that is many times as long. */
function ownBytes(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}
