import { expect, it } from 'vitest';
import { inSlices } from '../../../../src/api/v3/answers/in-slices.ts';

it('makes all rows in their order, a hundred a turn of the event loop', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  const madeAt: number[] = [];
  const rows = Array.from({ length: 250 }, (_, at) => at);
  const made = await inSlices(rows, (row) => {
    madeAt.push(turns);
    return row * 2;
  });
  expect(made).toEqual(rows.map((row) => row * 2));
  expect(new Set(madeAt.slice(0, 100)).size).toBe(1);
  expect(madeAt[100]).toBeGreaterThan(madeAt[99]!);
  expect(madeAt[200]).toBeGreaterThan(madeAt[199]!);
  expect(await inSlices([], String)).toEqual([]);
});
