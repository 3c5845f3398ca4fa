import { expect, it } from 'vitest';
import { isFlat, memoryOfRound, memoryTrend } from '../../simulation/abuse/memory-of-rounds.ts';

it('weighs the memory of attacks by how long they take', () => {
  expect(
    memoryOfRound([
      { serverMb: 900, seconds: 30 },
      { serverMb: 1_300, seconds: 10 },
      { serverMb: 5_000, seconds: 0 },
    ]),
  ).toBe(Math.round((900 * 30 + 1_300 * 10 + 5_000) / 41));
});

it('says nothing of few rounds, nor by the first, in which caches fill', () => {
  expect(memoryTrend([700, 1_000, 1_000, 1_000])).toBeNull();
  expect(memoryTrend([700, 1_000, 1_000, 1_000, 1_000])).toBe(1);
});

it('finds memory that grows from round to round, and none in that which goes up and down', () => {
  const trendOf = (roundsMb: readonly number[]) => memoryTrend(roundsMb) ?? Number.NaN;
  expect(isFlat(trendOf([871, 1_043, 1_096, 1_137, 1_118, 1_045]))).toBe(true);
  expect(isFlat(trendOf([871, 1_000, 1_060, 1_120, 1_180, 1_240]))).toBe(false);
  expect(isFlat(trendOf([871, 1_000, 1_200, 1_400, 1_600]))).toBe(false);
});
