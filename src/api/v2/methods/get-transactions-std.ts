import type { TransactionRow } from '../../entities/transactions/model.ts';
import { RAW_TRANSACTIONS } from '../format/schemas.ts';
import { rawTransaction } from '../format/transaction.ts';
import { NO_TRANSACTION_ID, type TransactionId, transactionId } from '../format/transaction-id.ts';
import { HISTORY_PARAMETERS, type HistoryCursor, historyCursor } from '../parameters/history-parameters.ts';
import { readHistory } from '../read/history.ts';
import { withCells } from '../read/stored-transactions.ts';
import { defineMethod, requireScope } from './method.ts';

/** An account's transactions, newest first, and the start of the next page. */
export const getTransactionsStd = defineMethod({
  name: 'getTransactionsStd',
  group: 'transactions',
  reads: ['base'],
  summary: 'Transactions of an account, with a cursor',
  parameters: HISTORY_PARAMETERS,
  result: RAW_TRANSACTIONS,
  async answer(request, { address, limit, lt, hash, to_lt }) {
    const from = historyCursor(lt, hash);
    const scope = requireScope(request);
    const query = { account: address, from, toLt: to_lt ?? 0n, limit };
    const rows = isEnd(from) ? [] : await readHistory(scope, query);
    const stored = await withCells(scope, rows);
    return {
      '@type': 'raw.transactions',
      transactions: stored.map(rawTransaction),
      previous_transaction_id: previousId(rows.at(-1)),
    };
  },
});

/** The cursor that the last page of a history gives: nothing is before it. */
function isEnd(from: HistoryCursor | null): boolean {
  return from !== null && from.lt === 0n && from.hash.every((byte) => byte === 0);
}

function previousId(oldest: TransactionRow | undefined): TransactionId {
  if (!oldest || oldest.prev_trans_lt === '0') return NO_TRANSACTION_ID;
  return transactionId(oldest.prev_trans_lt, oldest.prev_trans_hash);
}
