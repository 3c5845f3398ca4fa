import { expect, it } from 'vitest';
import { formatDuration, RemainingTime } from '../../../../src/platform/observability/remaining-time.ts';

it('estimates the remaining time from the rate of this run, without work that was done before', () => {
  let now = 1_000;
  const remaining = new RemainingTime(() => now);
  expect(remaining.describe(500, 1_000)).toBe('');
  now += 60_000;
  expect(remaining.estimate(500, 1_000)).toBeNull();
  expect(remaining.estimate(600, 1_000)).toBe(240_000);
  expect(remaining.describe(600, 1_000)).toBe('4 min left');
  expect(remaining.estimate(1_100, 1_000)).toBe(0);
});

it.each([
  [0, '0 s'],
  [999, '1 s'],
  [59_001, '1 min'],
  [3_599_000, '1 h 0 min'],
  [2 * 3_600_000 + 300_000, '2 h 5 min'],
  [76 * 3_600_000, '3 d 4 h'],
])('%i ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
