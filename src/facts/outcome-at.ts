import type { DatedState } from './fact-stores.ts';

/** The known outcome of a state for a kind. */
export interface KnownOutcome {
  readonly lt: bigint;
  readonly codeHash: string;
  /** False: the account is not of the kind in this state. */
  readonly isFound: boolean;
}

/**
 * The outcome that holds for a state, of outcomes of an account and kind by lt; undefined if there is none. Get methods
 * run only on some states, and decide for the others under the same code:
 * 1. the newest state up to this one in which the account is of the kind;
 * 2. this state;
 * 3. the first later state, then the last earlier one.
 * Without a code, the account is what it was or becomes under any.
 */
export function outcomeAt<O extends KnownOutcome>(
  outcomes: readonly O[],
  { lt, codeHash }: Pick<DatedState, 'lt' | 'codeHash'>,
): O | undefined {
  const own = codeHash === null ? outcomes : outcomes.filter((one) => one.codeHash === codeHash);
  const earlier = own.filter((one) => one.lt <= lt);
  const last = earlier.at(-1);
  if (codeHash === null) return last ?? own[0];
  const found = earlier.findLast(({ isFound }) => isFound);
  if (found || last?.lt === lt) return found ?? last;
  return own.find((one) => one.lt > lt) ?? last;
}
