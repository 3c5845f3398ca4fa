import type { StoreClient } from '../client.ts';

const route = 'versions/merges';
/** So many parts at least go into one merge: each row is written anew half as often as by the server's own choice. */
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
  const { rows } = await client.queryRows<[string]>(
    `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' ORDER BY name`,
    { route, params: { database } },
  );
  for (const [table] of rows) await client.command(`ALTER TABLE ${database}.${table} ${change}`, { route });
}
