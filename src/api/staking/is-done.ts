import type { TransactionRow } from '../entities/transactions/model.ts';

/** Whether the code of a transaction's account ended well, and what it wanted was done. */
export function isDone({
  compute_success,
  aborted,
}: Pick<TransactionRow, 'compute_success' | 'aborted'>): boolean {
  return compute_success && !aborted;
}
