import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LocalCounts } from '../../../platform/counts/local-counts.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { RateCounts } from '../../rate-counts.ts';
import { toClientName } from '../client/ip-address.ts';
import { HttpError } from '../errors/http-error.ts';
import { sentKey } from './sent-key.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts one more request of the client that sent this one, such as a message on its WebSocket. Returns true if the
     * client is within its rate.
     */
    countMore(request: FastifyRequest): Promise<boolean>;
  }
}

/** Limits of clients, in requests per second. */
export interface RateLimits {
  /** Limit of an address without a key; null: no limits, and keys are ignored. */
  readonly keylessLimit: number | null;
  /** Absent: no key is known. */
  readonly keys?: KeyRing | undefined;
  /**
   * Counts requests of a client in windows of `WINDOW_MS`, for several processes. Absent: this process counts
   * separately.
   */
  readonly counts?: RateCounts | undefined;
}

/** Limits are kept in windows of so long, ms. */
export const WINDOW_MS = 1_000;
/** Maximum clients with counts; beyond it the least recently seen restarts from zero. */
export const MAX_CLIENTS = 100_000;
/** Text of the refusal of a client beyond its rate (errors-and-limits.md 3). */
export const RATE_EXCEEDED = 'Ratelimit exceeded';
/** Pages and descriptions: the routes of an API other than its methods. */
const UNLIMITED = /\/(index\.html(\/.*)?|openapi\.json|doc\.json|healthcheck|healthz)$/;

/**
 * Applies the limits of errors-and-limits.md 3 and 4 to the routes of the APIs: an unknown key is 401, one of another
 * network 403, too many requests in a second 429 with `Retry-After`.
 */
export async function limitRates(
  app: FastifyInstance,
  { keylessLimit, keys, counts }: RateLimits,
): Promise<void> {
  app.decorateRequest('apiKey', null);
  if (keylessLimit === null) {
    app.decorate('countMore', async () => true);
    return;
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (isLimited(request)) request.apiKey = findKey(request, keys);
    done();
  });
  await app.register(rateLimit, {
    timeWindow: WINDOW_MS,
    store: buildStoreClass(counts ?? new LocalCounts({ windowMs: WINDOW_MS, mostNames: MAX_CLIENTS })),
    enableDraftSpec: true,
    allowList: (request) => !isLimited(request) || request.apiKey?.requestsPerSecond === 0,
    max: ({ apiKey }) => apiKey?.requestsPerSecond ?? keylessLimit,
    keyGenerator: getClientName,
    errorResponseBuilder: () => new HttpError(429, RATE_EXCEEDED),
  });
  const count = app.createRateLimit();
  app.decorate('countMore', async (request: FastifyRequest) => {
    const counted = await count(request);
    return counted.isAllowed || !counted.isExceeded;
  });
}

type Counted = (error: Error | null, found?: { current: number; ttl: number }) => void;

/** The counts in the library's form: it makes one store for all routes, and limits belong to the client. */
function buildStoreClass(counts: RateCounts) {
  return class SharedStore implements FastifyRateLimitStore {
    incr(client: string, callback: Counted): void {
      Promise.resolve(counts.add(client)).then(
        ({ count: current, leftMs: ttl }) => callback(null, { current, ttl }),
        callback,
      );
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}

/** Names the client of a request: its key, or its address, or the /64 network of its IPv6 address. */
export function getClientName({
  apiKey,
  clientAddress,
}: Pick<FastifyRequest, 'apiKey' | 'clientAddress'>): string {
  return apiKey ? `key ${apiKey.id}` : toClientName(clientAddress);
}

/** Whether a route counts: not one that a page of an API needs, nor what a browser asks before its own request. */
function isLimited({ routeOptions, method }: FastifyRequest): boolean {
  const route = routeOptions.url ?? '';
  return route.startsWith('/api/') && method !== 'OPTIONS' && !UNLIMITED.test(route);
}

/** @throws HttpError 401, 403 */
function findKey(request: FastifyRequest, keys: KeyRing | undefined): ApiKey | null {
  const text = sentKey(request);
  if (text === null) return null;
  const found = keys?.find(text, Date.now() / 1_000) ?? { state: 'unknown' };
  if (found.state === 'known') return found.key;
  throw found.state === 'foreign'
    ? new HttpError(403, 'Network not allowed')
    : new HttpError(401, 'API key does not exist');
}
