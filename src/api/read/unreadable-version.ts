import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { ServedTables } from '../served-tables.ts';
import { UnknownLayoutError } from './payload.ts';
import { RowBinary } from './row-binary.ts';
import { packedTransactions, transactionRows } from './transaction-row.ts';

/** Why this release cannot read a version, found before it is served; null where it can. */
export async function unreadableVersion(
  client: StoreClient,
  database: string,
  tables: ServedTables | null,
): Promise<string | null> {
  try {
    const { column } = packedTransactions(tables);
    const sql = `SELECT ${column} FROM ${database}.transactions LIMIT 1 FORMAT RowBinary`;
    const bytes = await client.queryBytes(sql, { route: 'serve/layout', settings: { max_threads: 1 } });
    if (new RowBinary(bytes).more) transactionRows(bytes, tables);
    return null;
  } catch (error) {
    if (error instanceof UnknownLayoutError) return error.message;
    throw error;
  }
}
