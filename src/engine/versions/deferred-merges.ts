import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';

const route = 'versions/merges';
/**
 * Minimum number of parts in one merge. With this `merge_selector_base`, only parts of similar size merge: each row is
 * rewritten once per hundred parts or so.
 * Above fifty parts in a table ClickHouse lowers the base to 2, so the number of parts prevents merges.
 * It stays far below the thousand at which inserts slow down.
 */
const DEFERRED_MERGES: Readonly<Record<string, number>> = {
  min_parts_to_merge_at_once: 128,
  max_parts_to_merge_at_once: 256,
  merge_selector_base: 64,
};

/**
 * Defers the merges of a database that is written and not read yet, so that many parts merge at once. The server keeps
 * the settings with the tables, also after a crash. Ended by `resumeMerges`; called after tables are cloned, since a clone
 * needs equal settings.
 */
export function deferMerges(client: StoreClient, database: string): Promise<void> {
  const settings = Object.entries(DEFERRED_MERGES).map(([name, value]) => `${name} = ${value}`);
  return alterAll(client, database, `MODIFY SETTING ${settings.join(', ')}`);
}

/** As the tables of `base` are made: each row is rewritten half as often as by the server's own choice, 5 (docs/decisions/0027). */
const USUAL_BASE = 20;
const USUAL_MERGES = [
  'RESET SETTING min_parts_to_merge_at_once, max_parts_to_merge_at_once',
  `MODIFY SETTING merge_selector_base = ${USUAL_BASE}`,
];

/** Ends `deferMerges`: tables merge like the tables of `base`. Can be repeated. */
export async function resumeMerges(client: StoreClient, database: string): Promise<void> {
  for (const change of USUAL_MERGES) await alterAll(client, database, change);
}

/** Ends `deferMerges` for one table. */
export async function resumeTableMerges(client: StoreClient, database: string, table: string): Promise<void> {
  for (const change of USUAL_MERGES) await alterTable(client, { database, table }, change);
}

/** Databases among these with a table whose merges are deferred. */
export async function deferredDatabases(
  client: StoreClient,
  databases: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT DISTINCT database FROM system.tables WHERE database IN {databases:Array(String)}
     AND match(create_table_query, {deferred:String}) ORDER BY database`,
    {
      route,
      params: {
        databases,
        deferred: `min_parts_to_merge_at_once = ${DEFERRED_MERGES.min_parts_to_merge_at_once}\\b`,
      },
    },
  );
  return rows.map(([database]) => database);
}

async function alterAll(client: StoreClient, database: string, change: string): Promise<void> {
  for (const table of await storedTables(client, database, route))
    await alterTable(client, { database, table }, change);
}

function alterTable(
  client: StoreClient,
  { database, table }: { readonly database: string; readonly table: string },
  change: string,
): Promise<void> {
  return client.command(`ALTER TABLE ${database}.${table}${onCluster(client)} ${change}`, { route });
}

/** Names of the tables of a database that keep rows: no views or landing tables; on a cluster the tables of a shard. */
export async function storedTables(
  client: StoreClient,
  database: string,
  route: string,
): Promise<readonly string[]> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' ORDER BY name`,
    { route, params: { database } },
  );
  return rows.map(([name]) => name);
}
