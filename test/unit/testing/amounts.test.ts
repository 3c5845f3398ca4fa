import { expect, it } from 'vitest';
import { userCacheDirectory } from '../../../src/platform/config/user-cache.ts';
import { toNanotons } from '../../../src/testing/control-calls.ts';

it('reads TON as text with up to nine digits, and nanotons as bigint', () => {
  expect([toNanotons('1.5'), toNanotons('0.000000001'), toNanotons(7n)]).toEqual([1_500_000_000n, 1n, 7n]);
  for (const wrong of ['', '1.', '-1', '1e3', '0.0000000001'])
    expect(() => toNanotons(wrong)).toThrow(`found '${wrong}'`);
});

it('takes the cache folder from XDG_CACHE_HOME if it is absolute', () => {
  expect(userCacheDirectory({ XDG_CACHE_HOME: '/cache' })).toBe('/cache');
  expect(userCacheDirectory({ XDG_CACHE_HOME: 'cache' })).toMatch(/^\/.*\/\.cache$/);
});
