import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { ServedTables } from '../served-tables.ts';
import { messageList, messageRows } from './message-payload.ts';
import { UnknownLayoutError } from './payload.ts';
import { packedTransactions, transactionRows } from './transaction-row.ts';

/** Why this release cannot read a version, found before it is served; null where it can. */
export async function unreadableVersion(
  client: StoreClient,
  database: string,
  tables: ServedTables | null,
): Promise<string | null> {
  try {
    const first = (list: string, table: string) =>
      client.queryBytes(`SELECT ${list} FROM ${database}.${table} LIMIT 1 FORMAT RowBinary`, {
        route: 'serve/layout',
        settings: { max_threads: 1 },
      });
    const { column, table } = packedTransactions(tables);
    transactionRows(await first(column, table), tables);
    messageRows(await first(messageList(tables?.messages), 'messages'));
    return null;
  } catch (error) {
    if (error instanceof UnknownLayoutError) return error.message;
    throw error;
  }
}
