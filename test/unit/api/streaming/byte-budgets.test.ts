import { expect, it } from 'vitest';
import { ByteBudgets } from '../../../../src/api/streaming/byte-budgets.ts';

it('a client that sent more than its bytes of a second waits until it has earned the rest', () => {
  const budgets = new ByteBudgets(1_000, 10);
  expect(budgets.take('a', 1_000, 0)).toBe(0);
  expect(budgets.take('a', 500, 0)).toBe(500);
  expect(budgets.take('b', 1_000, 0)).toBe(0);
  expect(budgets.take('a', 100, 500)).toBe(100);
  expect(budgets.take('a', 0, 600)).toBe(0);
});

it('a client that sent nothing for long has the bytes of one second', () => {
  const budgets = new ByteBudgets(1_000, 10);
  expect(budgets.take('a', 1, 0)).toBe(0);
  expect(budgets.take('a', 1_000, 60_000)).toBe(0);
  expect(budgets.take('a', 1, 60_000)).toBe(1);
});
