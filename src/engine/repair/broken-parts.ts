import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { storedTables } from '../versions/deferred-merges.ts';

const route = 'repair/parts';
const QUERY = { route, ...TABLE_QUERY } as const;

/** A part that cannot be read: it is put aside, and its rows count as missing. */
export interface BrokenPart {
  readonly table: string;
  readonly part: string;
  readonly message: string;
}

/**
 * Reads every part of a database and detaches parts whose checksums do not match. Does nothing on a cluster: no
 * statement checks the parts of all servers, and part names are local to a server.
 */
export async function detachBrokenParts(
  client: StoreClient,
  database: string,
  onTable: (done: number, total: number, table: string) => void,
): Promise<readonly BrokenPart[]> {
  if (client.cluster !== null) return [];
  const broken: BrokenPart[] = [];
  const tables = await storedTables(client, database, route);
  for (const [done, table] of tables.entries()) {
    onTable(done, tables.length, table);
    const { rows } = await client.queryRows<[string, number, string]>(`CHECK TABLE ${database}.${table}`, {
      ...QUERY,
      settings: { check_query_single_value_result: 0 },
    });
    for (const [part, isPassed, message] of rows) {
      if (isPassed) continue;
      await client.command(`ALTER TABLE ${database}.${table} DETACH PART '${part}'`, { route });
      broken.push({ table, part, message });
    }
  }
  return broken;
}
