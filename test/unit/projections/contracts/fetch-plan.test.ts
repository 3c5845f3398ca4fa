import { expect, test } from 'vitest';
import { FetchPlan } from '../../../../src/projections/contracts/cells/fetch-plan.ts';

const MINUTE = 60_000;
const take = (plan: FetchPlan, keys: readonly string[], now: number, limit = 10) =>
  plan.take(keys, String, limit, now);

test('what failed once is due at once, then after 10 minutes, rising to 6 hours', () => {
  const plan = new FetchPlan(100);
  plan.fail('a', 0);
  expect(take(plan, ['a', 'b'], 0)).toEqual(['a', 'b']);
  plan.fail('a', 0);
  expect(plan.failures('a')).toBe(2);
  expect(take(plan, ['a', 'b'], 10 * MINUTE - 1)).toEqual(['b']);
  expect(take(plan, ['a', 'b'], 10 * MINUTE)).toEqual(['a', 'b']);
  for (let count = 0; count < 20; count++) plan.fail('a', 0);
  expect(take(plan, ['a'], 6 * 60 * MINUTE - 1)).toEqual([]);
  expect(take(plan, ['a'], 6 * 60 * MINUTE)).toEqual(['a']);
});

test('what was fetched is no failure any more', () => {
  const plan = new FetchPlan(100);
  plan.fail('a', 0);
  plan.fail('a', 0);
  expect(plan.failed).toBe(1);
  plan.succeed('a');
  expect(plan.failed).toBe(0);
  expect(take(plan, ['a'], 0)).toEqual(['a']);
});

test('an hour has a limit of requests', () => {
  const plan = new FetchPlan(3);
  expect(take(plan, ['a', 'b', 'c', 'd'], 0, 2)).toEqual(['a', 'b']);
  expect(take(plan, ['c', 'd'], 59 * MINUTE)).toEqual(['c']);
  expect(take(plan, ['d'], 60 * MINUTE - 1)).toEqual([]);
  expect(take(plan, ['d'], 60 * MINUTE)).toEqual(['d']);
});
