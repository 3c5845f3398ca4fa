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
 * Defers the merges of a database that is written and not read yet, so that many parts merge at once. Ended by
 * `resumeMerges`; called after tables are cloned, since a clone needs equal settings.
 */
export function deferMerges(client: StoreClient, database: string): Promise<void> {
  const settings = Object.entries(DEFERRED_MERGES).map(([name, value]) => `${name} = ${value}`);
  return alterAll(client, database, `MODIFY SETTING ${settings.join(', ')}`);
}

/** As the tables of `base` are made: each row is rewritten half as often as by the server's own choice, 5 (docs/decisions/0027). */
const USUAL_BASE = 20;

/** Ends `deferMerges`: tables merge like the tables of `base`. Can be repeated. */
export async function resumeMerges(client: StoreClient, database: string): Promise<void> {
  await alterAll(client, database, 'RESET SETTING min_parts_to_merge_at_once, max_parts_to_merge_at_once');
  await alterAll(client, database, `MODIFY SETTING merge_selector_base = ${USUAL_BASE}`);
}

async function alterAll(client: StoreClient, database: string, change: string): Promise<void> {
  for (const table of await storedTables(client, database, route))
    await client.command(`ALTER TABLE ${database}.${table}${onCluster(client)} ${change}`, { route });
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
