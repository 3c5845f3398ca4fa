import type { StoreClient } from '../client.ts';

const route = 'versions/merges';
/** So many parts at least go into one merge: the server's own choice writes rows of a slow stream of parts anew more often. */
const PARTS = 32;

/**
 * Lets a database that is written and not read yet merge seldom, many parts at once. To be ended by `mergeAsUsual`; to
 * be called after tables are cloned, which wants them made alike.
 */
export function mergeSeldom(client: StoreClient, database: string): Promise<void> {
  return alterAll(client, database, `MODIFY SETTING min_parts_to_merge_at_once = ${PARTS}`);
}

/** Merges go on by the server's own choice. Changes nothing where they do already. */
export function mergeAsUsual(client: StoreClient, database: string): Promise<void> {
  return alterAll(client, database, 'RESET SETTING min_parts_to_merge_at_once');
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
