import { EXT_TRANSACTIONS } from '../format/schemas.ts';
import { extTransaction } from '../format/transaction.ts';
import { HISTORY_PARAMETERS, historyCursor } from '../parameters/history-parameters.ts';
import { readHistory } from '../read/history.ts';
import { withCells } from '../read/stored-transactions.ts';
import { defineMethod, requireScope } from './method.ts';

/** An account's transactions, newest first. lt 0 without hash is the same as none. */
export const getTransactions = defineMethod({
  name: 'getTransactions',
  group: 'transactions',
  reads: ['base'],
  summary: 'Transactions of an account',
  parameters: HISTORY_PARAMETERS,
  result: EXT_TRANSACTIONS,
  async answer(request, { address, limit, lt, hash, to_lt }) {
    const from = historyCursor(lt === 0n && hash === undefined ? undefined : lt, hash);
    const scope = requireScope(request);
    const rows = await readHistory(scope, { account: address, from, toLt: to_lt ?? 0n, limit });
    return (await withCells(scope, rows)).map(extTransaction);
  },
});
