import type { StoreClient } from '../../platform/clickhouse/client.ts';

const route = 'versions/merges';
/**
 * So many parts at least go into one merge, and `merge_selector_base` as large as this lets nothing merge that is not
 * nearly as large as its neighbours: each row is written anew once for some thirty parts, not once with every few of them.
 * Where a table has more than fifty parts ClickHouse lowers the base to 2, and larger parts merge too.
 */
const SELDOM: Readonly<Record<string, number>> = { min_parts_to_merge_at_once: 32, merge_selector_base: 64 };

/**
 * Lets a database that is written and not read yet merge seldom, many parts at once. To be ended by `mergeAsUsual`; to
 * be called after tables are cloned, which wants them made alike.
 */
export function mergeSeldom(client: StoreClient, database: string): Promise<void> {
  const settings = Object.entries(SELDOM).map(([name, value]) => `${name} = ${value}`);
  return alterAll(client, database, `MODIFY SETTING ${settings.join(', ')}`);
}

/** Merges go on by the server's own choice. Changes nothing where they do already. */
export function mergeAsUsual(client: StoreClient, database: string): Promise<void> {
  return alterAll(client, database, `RESET SETTING ${Object.keys(SELDOM).join(', ')}`);
}

async function alterAll(client: StoreClient, database: string, change: string): Promise<void> {
  for (const table of await storedTables(client, database, route))
    await client.command(`ALTER TABLE ${database}.${table} ${change}`, { route });
}

/** Names of the tables of a database that keep rows: neither views nor landing tables. */
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
