import type { TransactionRow } from './model.ts';

/**
 * After `ORDER BY lt`: transactions of equal lt by address text, in byte order. The masterchain's, `-1:…`, come first.
 */
export const TIES = ', workchain, account';

/** Compares transactions by lt, the newest first where `descending`, then as `TIES` does. */
export function compareByLt(
  a: Pick<TransactionRow, 'lt' | 'workchain' | 'account'>,
  b: Pick<TransactionRow, 'lt' | 'workchain' | 'account'>,
  descending = false,
): number {
  const [x, y] = [BigInt(a.lt), BigInt(b.lt)];
  if (x !== y) return x < y === descending ? 1 : -1;
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  if (a.account === b.account) return 0;
  return a.account < b.account ? -1 : 1;
}
