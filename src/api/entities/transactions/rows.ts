import { mapInChunks } from '../../http/fairness/map-in-chunks.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { Sql } from '../../query/sql.ts';
import { packedValues, type TransactionRow, unpacker } from './model.ts';

/** Rows of any statement over TRANSACTION_SELECT. */
export async function readTransactionStatement(
  scope: ReadScope,
  statement: Sql,
): Promise<readonly TransactionRow[]> {
  const values = packedValues(await scope.queryBytes(statement));
  return mapInChunks(values, unpacker(scope.tables));
}
