import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../../keys/api-key.ts';
import { readQueryString } from '../query-string.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that the request was sent with; null without one, and where no limits are kept. */
    apiKey: ApiKey | null;
  }
}

/** Text of the key of a request: the header `X-API-Key` or the parameter `api_key`, in any letter case; null for none. */
export function sentKey({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): string | null {
  const inHeader = headers['x-api-key']?.toString().trim();
  if (inHeader) return inHeader;
  // Most addresses have none, and need not be parsed twice.
  if (!/api_key/i.test(url)) return null;
  return readQueryString(url).get('api_key')?.values.at(-1)?.trim() || null;
}
