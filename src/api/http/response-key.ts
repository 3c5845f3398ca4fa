import { hash } from 'node:crypto';

/**
 * The cache key of a request: a digest of the route and its parameters as they were read, so that all spellings of a
 * request share an entry and no key is longer than 43 characters.
 */
export function responseKey(route: string, ...parameters: readonly object[]): string {
  return hash('sha256', `${route} ${JSON.stringify(parameters, withIntegers)}`, 'base64url');
}

/** JSON has no 64-bit integers; `n` keeps them apart from numbers and from their text. */
function withIntegers(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { n: `${value}` } : value;
}
