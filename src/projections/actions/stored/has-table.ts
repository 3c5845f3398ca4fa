import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { tableExists } from '../../../platform/clickhouse/table-exists.ts';

/** By store, tables that are there: a version keeps its tables. */
const KNOWN = new WeakMap<StoreClient, Set<string>>();

/** True if a version has a table; versions of older releases may lack it. A positive answer is cached. */
export async function hasTable({ client, database }: StoreDatabase, table: string): Promise<boolean> {
  const known = KNOWN.get(client) ?? new Set();
  KNOWN.set(client, known);
  const name = `${database}.${table}`;
  if (known.has(name)) return true;
  const isThere = await tableExists(client, database, table, { route: 'actions/tables' });
  if (isThere) known.add(name);
  return isThere;
}
