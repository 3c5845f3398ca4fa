import { describe, expect, it } from 'vitest';
import {
  intersectRanges,
  joinRanges,
  type PositionRange,
  rangeCondition,
  splitByEpoch,
  subtractRanges,
} from '../../../../src/engine/ranges/position-ranges.ts';
import { SeededRandom } from '../../../helpers/seeded-random.ts';

const MAX = 40;

function someRanges(random: SeededRandom): PositionRange[] {
  return Array.from({ length: random.below(5) }, () => {
    const first = random.below(MAX);
    return { first, last: first + random.below(MAX - first) };
  });
}

const positions = (ranges: readonly PositionRange[]): number[] =>
  Array.from({ length: MAX }, (_, at) => at).filter((at) =>
    ranges.some(({ first, last }) => at >= first && at <= last),
  );

describe('ranges of positions', () => {
  it('are what they are position by position', () => {
    const random = new SeededRandom(7);
    for (let round = 0; round < 500; round++) {
      const [a, b] = [someRanges(random), someRanges(random)];
      const [inA, inB] = [positions(a), positions(b)];
      expect(positions(joinRanges(a))).toEqual(inA);
      expect(positions(subtractRanges(a, b))).toEqual(inA.filter((at) => !inB.includes(at)));
      expect(positions(intersectRanges(a, b))).toEqual(inA.filter((at) => inB.includes(at)));
      const epochs = splitByEpoch(a, 7);
      expect(positions([...epochs.values()].flat())).toEqual(inA);
      for (const [epoch, parts] of epochs) {
        const borders = parts.flatMap(({ first, last }) => [first, last]);
        expect(borders.every((at) => Math.floor(at / 7) === epoch)).toBe(true);
      }
    }
  });

  it('join where they touch', () => {
    const ranges = [
      { first: 5, last: 6 },
      { first: 1, last: 4 },
      { first: 8, last: 9 },
    ];
    expect(joinRanges(ranges)).toEqual([
      { first: 1, last: 6 },
      { first: 8, last: 9 },
    ]);
  });

  it('are a condition; none is never true', () => {
    expect(rangeCondition('x', [{ first: 1, last: 2 }])).toBe('(x BETWEEN 1 AND 2)');
    expect(rangeCondition('x', [])).toBe('0');
  });
});
