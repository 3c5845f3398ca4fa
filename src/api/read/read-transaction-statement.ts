import type { ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';
import { type TransactionRow, transactionRows } from './transaction-row.ts';

/** Rows of any statement over TRANSACTION_SELECT. */
export async function readTransactionStatement(
  scope: ReadScope,
  statement: Statement,
): Promise<readonly TransactionRow[]> {
  return transactionRows(await scope.queryBytes(statement), scope.tables);
}
