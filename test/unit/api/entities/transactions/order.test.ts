import { expect, it } from 'vitest';
import { compareByLt } from '../../../../../src/api/entities/transactions/order.ts';

const LOW = '0A'.repeat(32);
const HIGH = 'F0'.repeat(32);
const at = (lt: string, workchain: number, account: string) => ({ lt, workchain, account });

/** In the order of a list from old to new. */
const ORDERED = [
  at('9', 0, HIGH),
  at('10', -1, HIGH),
  at('10', 0, LOW),
  at('10', 0, HIGH),
  at('11', -1, LOW),
  at('11', 0, LOW),
];

it('puts transactions of equal lt in the order of their addresses as text, whichever way the list goes', () => {
  const shuffled = [3, 0, 5, 1, 4, 2].map((i) => ORDERED[i]!);
  expect(shuffled.toSorted((a, b) => compareByLt(a, b))).toEqual(ORDERED);
  expect(shuffled.toSorted((a, b) => compareByLt(a, b, true))).toEqual(
    [[4, 5], [1, 2, 3], [0]].flat().map((i) => ORDERED[i]),
  );
  const texts = ORDERED.slice(1, 4).map(({ workchain, account }) => `${workchain}:${account}`);
  expect(texts.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(texts);
});

it('takes the same transaction for equal', () => {
  expect(compareByLt(at('1', 0, LOW), at('1', 0, LOW))).toBe(0);
});
