import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type PackedColumns, packedList } from '../query/packed-columns.ts';
import { UnknownLayoutError } from '../query/unknown-layout.ts';
import type { ServedTables } from '../served-tables.ts';
import { messageList, messageRows } from './message-payload.ts';
import { TOKEN_COLUMNS, tokenStates } from './token-row.ts';
import { packedTransactions, transactionRows } from './transaction-row.ts';
import { TRANSFER_COLUMNS, transferRows } from './transfer-row.ts';

/** Reads the first row of a SELECT list from a table, in RowBinary. */
type ReadFirst = (list: string, table: string) => Promise<Buffer>;

/** Reads a row of each packed table of a projection. @throws UnknownLayoutError */
const TRIALS: Readonly<Record<string, (first: ReadFirst, tables: ServedTables | null) => Promise<void>>> = {
  base: async (first, tables) => {
    const { column, table } = packedTransactions(tables);
    transactionRows(await first(column, table), tables);
    messageRows(await first(messageList(tables?.messages), 'messages'));
  },
  contracts: async (first, tables) => {
    const selectFirst = (columns: PackedColumns, table: string) =>
      first(`account, ${packedList(columns, tables?.[table])}`, table);
    if (!tables || 'tokens_latest' in tables) tokenStates(await selectFirst(TOKEN_COLUMNS, 'tokens_latest'));
    transferRows(await selectFirst(TRANSFER_COLUMNS, 'token_transfers'));
  },
};

/** Why this release cannot read a version of a projection, checked before it is served; null if it can. */
export async function unreadableVersion(
  client: StoreClient,
  projection: string,
  database: string,
  tables: ServedTables | null,
): Promise<string | null> {
  const first: ReadFirst = (list, table) =>
    client.queryBytes(`SELECT ${list} FROM ${database}.${table} LIMIT 1 FORMAT RowBinary`, {
      route: 'serve/layout',
      settings: { max_threads: 1 },
    });
  try {
    await TRIALS[projection]?.(first, tables);
    return null;
  } catch (error) {
    if (error instanceof UnknownLayoutError) return error.message;
    throw error;
  }
}
