import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { BASE_TABLES, type BaseTable } from '../../src/tables/base-tables.ts';
import type { ReadRow } from '../../src/ton/columns/column-reader.ts';

type Value = string | number | boolean | null | Record<string, string>;

/** How a column is asked for, so that JSON keeps it whole. */
function selected(name: string, type: string): string {
  return /^(FixedString|String)/.test(type) ? `hex(${name})` : name;
}

/** The value as the column reader gives it: bytes, bigints, enum names, currencies as entries. */
function readBack(type: string, value: Value): unknown {
  if (value === null) return null;
  const inner = type.match(/^Nullable\((.+)\)$/)?.[1] ?? type;
  if (/^(FixedString|String)/.test(inner)) return Uint8Array.fromHex(value as string);
  if (/^UInt(64|128|256)$/.test(inner)) return BigInt(value as string);
  if (inner.startsWith('Map'))
    return Object.entries(value as Record<string, string>).map(([id, amount]) => [
      Number(id),
      BigInt(amount),
    ]);
  return value;
}

/** The transactions of a version with every landed column, including those only in packed rows. */
export function transactionsIn(database: string): string {
  const packed =
    'account, workchain, lt, prev_trans_hash, state_hash_before, state_hash_after, states, messages';
  return `(SELECT * FROM ${database}.transactions AS t
    INNER JOIN (SELECT ${packed} FROM ${database}.transaction_payloads) AS p USING (account, workchain, lt))`;
}

/** All rows of a stored table, in the form that the column reader gives, sorted by an SQL expression. */
export async function storeRows<T extends BaseTable>(
  client: StoreClient,
  database: string,
  columnsOf: T,
  orderBy: string,
): Promise<ReadRow<(typeof BASE_TABLES)[T]>[]> {
  const columns = Object.entries(BASE_TABLES[columnsOf]) as [string, string][];
  const source = columnsOf === 'transactions' ? transactionsIn(database) : `${database}.${columnsOf}`;
  const list = columns.map(([name, type]) => selected(name, type)).join(', ');
  const { rows } = await client.queryRows<Value[]>(`SELECT ${list} FROM ${source} ORDER BY ${orderBy}`, {
    route: 'test',
    maxRows: 1_000_000,
    timeoutMs: 60_000,
  });
  return rows.map((row) =>
    Object.fromEntries(columns.map(([name, type], i) => [name, readBack(type, row[i] as Value)])),
  ) as unknown as ReadRow<(typeof BASE_TABLES)[T]>[];
}
