import { hash } from 'node:crypto';
import { type NamedSource, sourceName } from '../../version-vector.ts';

/**
 * The cache key of a request: a digest of the versions and range that it is read from, the route, and its parameters as
 * they were read, so that all spellings of a request share an entry and no key is longer than 43 characters.
 */
export function responseKey(source: NamedSource, route: string, ...parameters: readonly object[]): string {
  const text = `${sourceName(source)} ${route} ${JSON.stringify(parameters, withIntegers)}`;
  return hash('sha256', text, 'base64url');
}

/** JSON has no 64-bit integers; `n` keeps them apart from numbers and from their text. */
export function withIntegers(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { n: `${value}` } : value;
}
