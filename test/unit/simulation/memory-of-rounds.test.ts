import { expect, it } from 'vitest';
import { isFlat, roundOf } from '../../simulation/abuse/memory-of-rounds.ts';

const roundsOf = (mbs: readonly number[], seconds = 200) => mbs.map((mb) => ({ mb, seconds }));

it('weighs the memory of attacks by how long they take', () => {
  const round = roundOf([
    { serverMb: 900, seconds: 30 },
    { serverMb: 1_300, seconds: 10 },
    { serverMb: 5_000, seconds: 0 },
  ]);
  expect(round).toEqual({ mb: Math.round((900 * 30 + 1_300 * 10 + 5_000) / 41), seconds: 41 });
});

it('says nothing of few rounds, nor by the first minutes, in which caches fill', () => {
  expect(isFlat(roundsOf([700, 1_000, 1_000, 1_000]))).toBeNull();
  expect(isFlat(roundsOf([700, 1_000, 1_000, 1_000, 1_000]))).toBe(true);
  expect(isFlat(roundsOf(Array(100).fill(1_000), 2))).toBeNull();
});

it('finds memory that grows from round to round, and none in that which goes up and down', () => {
  expect(isFlat(roundsOf([871, 1_043, 1_096, 1_137, 1_118, 1_045]))).toBe(true);
  expect(isFlat(roundsOf([871, 1_000, 1_060, 1_120, 1_180, 1_240]))).toBe(false);
  expect(isFlat(roundsOf([871, 1_000, 1_200, 1_400, 1_600]))).toBe(false);
});
