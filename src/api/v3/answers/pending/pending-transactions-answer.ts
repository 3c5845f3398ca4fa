import { readCodes } from '../../../entities/accounts/codes.ts';
import { readEarlierStates } from '../../../entities/transactions/earlier-states.ts';
import { compareByLt } from '../../../entities/transactions/order.ts';
import type { PendingTrace, PendingTransaction } from '../../../pending/pending-trace.ts';
import type { ReadScope } from '../../../query/scope.ts';
import type { TransactionsAnswer } from '../../schemas/transaction.ts';
import { addressBook } from '../address-book-answer.ts';
import { AnswerBodies } from '../answer-bodies.ts';
import { bookAccounts } from '../transactions-answer.ts';
import { pendingTransactionAnswer } from './pending-transaction-answer.ts';

/** A transaction and the trace that it is listed from. */
export interface FoundPending {
  readonly trace: PendingTrace;
  readonly transaction: PendingTransaction;
}

/** The answer of `/pendingTransactions`, newest first; it always has its address book (v3-endpoints.md 1.6). */
export async function pendingTransactionsAnswer(
  scope: ReadScope,
  found: readonly FoundPending[],
): Promise<TransactionsAnswer> {
  const newest = found.toSorted((a, b) => compareByLt(a.transaction.row, b.transaction.row, true));
  const rows = newest.map(({ transaction }) => transaction.row);
  const listed = bookAccounts(rows);
  const [codes, earlier] = await Promise.all([readCodes(scope, listed), readEarlierStates(scope, rows)]);
  const bodies = new AnswerBodies(scope.context);
  return {
    transactions: newest.map(({ trace, transaction }) =>
      pendingTransactionAnswer(trace, transaction, earlier, bodies),
    ),
    address_book: addressBook(listed, codes, scope.context.network.testnet),
  };
}
