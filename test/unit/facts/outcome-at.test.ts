import { expect, it } from 'vitest';
import { outcomeAt } from '../../../src/facts/outcome-at.ts';

const found = (lt: bigint, codeHash = 'a') => ({ lt, codeHash, isFound: true });
const refused = (lt: bigint, codeHash = 'a') => ({ lt, codeHash, isFound: false });

it.each([
  ['the state itself, refused', [refused(5n), found(9n)], 5n, 'a', refused(5n)],
  ['an earlier state of the kind', [found(1n), refused(7n), found(9n)], 5n, 'a', found(1n)],
  ['a later state after a refused one', [refused(1n), found(9n)], 5n, 'a', found(9n)],
  ['the first later state', [refused(7n), found(9n)], 5n, 'a', refused(7n)],
  ['an earlier refused state if none is later', [refused(1n)], 5n, 'a', refused(1n)],
  ['none of another code', [found(1n, 'b'), found(9n, 'b')], 5n, 'a', undefined],
  ['a later state of the code, not of the code before', [found(1n, 'b'), found(9n)], 5n, 'a', found(9n)],
  ['the last state before its code is gone', [found(1n), refused(4n, 'b')], 5n, null, refused(4n, 'b')],
  ['the first state of an account that is to come', [refused(7n), found(9n)], 5n, null, refused(7n)],
] as const)('the outcome of a state is that of %s', (_, outcomes, lt, codeHash, expected) => {
  expect(outcomeAt(outcomes, { lt, codeHash })).toEqual(expected);
});
