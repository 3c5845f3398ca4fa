import { describe, expect, it } from 'vitest';
import type { IndexRecord } from '../../../../src/log/kafka/index/index-records.ts';
import { LaneIndex } from '../../../../src/log/kafka/index/lane-index.ts';
import { planIndex } from '../../../../src/log/kafka/index/plan-index.ts';
import { step } from '../../../contract/log/test-steps.ts';

/** The index after these records, as Kafka would give them. */
function apply(index: LaneIndex, records: readonly IndexRecord[]): void {
  index.apply(
    records.map(({ key, entry }, offset) => ({
      offset,
      timestamp: 0,
      key,
      value: entry && new TextEncoder().encode(JSON.stringify(entry)),
      headers: {},
    })),
  );
}

const runsOf = (index: LaneIndex, lane: number) =>
  index.runs(lane).map(({ epoch, first, next, records }) => [epoch, first, next, records]);
const NOTHING_TRIMMED = [0, 0, 0, 0];

describe('the lane index', () => {
  it('makes one run of appends to one epoch, and begins another where epochs take turns', () => {
    const index = new LaneIndex(4, () => {});
    apply(index, planIndex(index, NOTHING_TRIMMED, [{ step: step(0, 2), first: 0 }], 'a'));
    apply(index, planIndex(index, NOTHING_TRIMMED, [{ step: step(1), first: 3 }], 'b'));
    const placed = [
      { step: step(40), first: 5 },
      { step: step(2), first: 6 },
    ];
    apply(index, planIndex(index, NOTHING_TRIMMED, placed, 'c'));
    expect(runsOf(index, 0)).toEqual([
      [0, 0, 4, 3],
      [4, 5, 6, 1],
      [0, 6, 7, 1],
    ]);
    expect(index.tail).toEqual({ position: 40, lane: 0, offset: 5, append: 'c' });
    expect(index.end(0)).toBe(7);
    expect(index.end(1)).toBe(0);
  });

  it('finds the run of an offset, or the next one', () => {
    const index = new LaneIndex(4, () => {});
    const placed = [
      { step: step(0, 2), first: 10 },
      { step: step(40, 2), first: 20 },
    ];
    apply(index, planIndex(index, NOTHING_TRIMMED, placed, 'a'));
    expect([0, 10, 11, 12, 21, 22].map((from) => index.find(0, from)?.first)).toEqual([
      10,
      10,
      10,
      20,
      20,
      undefined,
    ]);
  });

  it('drops what was trimmed with a later append, but not the end of a lane', () => {
    const index = new LaneIndex(4, () => {});
    const placed = [
      { step: step(0), first: 0 },
      { step: step(40), first: 1 },
      { step: step(10), first: 0 },
    ];
    apply(index, planIndex(index, NOTHING_TRIMMED, placed, 'a'));
    apply(index, planIndex(index, [1, 1, 0, 0], [{ step: step(20), first: 0 }], 'b'));
    expect(runsOf(index, 0)).toEqual([[4, 1, 2, 1]]);
    expect(runsOf(index, 1)).toEqual([[1, 0, 1, 1]]);
    apply(index, planIndex(index, [1, 1, 0, 0], [{ step: step(11), first: 7 }], 'c'));
    expect(runsOf(index, 1)).toEqual([
      [1, 0, 1, 1],
      [1, 7, 8, 1],
    ]);
    expect(index.tail).toMatchObject({ position: 40, append: 'c' });
  });
});
