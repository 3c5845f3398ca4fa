import { expect, it } from 'vitest';
import { UsualTime } from '../../../../src/tvm/pool/usual-time.ts';

it('returns the mean of the recent uses of a key', () => {
  let now = 0;
  const usual = new UsualTime(() => now);
  expect(usual.of('x')).toBeNull();
  usual.add('x', 10);
  usual.add('x', 30);
  usual.add('y', 500);
  expect(usual.of('x')).toBe(20);
  expect(usual.of('y')).toBe(500);
  // Old uses fade: a minute later one new use weighs far more than two of then.
  now = 60_000;
  expect(usual.of('x')).toBeCloseTo(20);
  usual.add('x', 100);
  expect(usual.of('x')).toBeGreaterThan(90);
});
