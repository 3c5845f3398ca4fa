import { expect, it } from 'vitest';
import { untilSharedMoment } from '../../../../src/platform/retry/shared-moment.ts';

it('is the same moment for all who ask, whenever they do', () => {
  expect([100, 150, 193, 195, 390].map((now) => now + untilSharedMoment(100, now))).toEqual([
    200, 200, 200, 300, 400,
  ]);
});

it('comes once, also where the timer was a little early', () => {
  const fired = 399.4;
  expect(fired + untilSharedMoment(100, fired)).toBeCloseTo(500, 6);
});
