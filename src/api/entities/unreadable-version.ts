import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { PACKED_TABLE } from '../compat/packed-transactions.ts';
import { UnknownLayoutError } from '../query/unknown-layout.ts';
import type { ServedTables } from '../served-tables.ts';
import { messageRows } from './messages/payload.ts';
import { tokenStates } from './tokens/model.ts';
import { transactionRows } from './transactions/model.ts';
import { transferRows } from './transfers/model.ts';

/** Reads the first row of a SELECT list from a table, in RowBinary. */
type ReadFirst = (list: string, table: string) => Promise<Buffer>;

/** Reads a row of each packed table of a projection. @throws UnknownLayoutError */
const TRIALS: Readonly<Record<string, (first: ReadFirst, tables: ServedTables | null) => Promise<void>>> = {
  base: async (first, tables) => {
    transactionRows(await first('payload', packedTable(PACKED_TABLE, tables)), tables);
    messageRows(await first('payload', packedTable('messages', tables)));
  },
  contracts: async (first, tables) => {
    await readToken(first, tables);
    transferRows(await first('account, payload', packedTable('token_transfers', tables)));
  },
  detections: readToken,
};

async function readToken(first: ReadFirst, tables: ServedTables | null): Promise<void> {
  tokenStates(await first('account, 0 AS is_detected, payload', packedTable('tokens_latest', tables)));
}

/** @throws UnknownLayoutError if the table has no packed column */
function packedTable(table: string, tables: ServedTables | null): string {
  if (tables && !('payload' in (tables[table] ?? {})))
    throw new UnknownLayoutError(`no packed column of ${table}`);
  return table;
}

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
