import type { StoreClient } from './client.ts';
import type { QueryOptions } from './client-options.ts';

/** Whether a database has a table or a view of that name. */
export async function tableExists(
  client: StoreClient,
  database: string,
  table: string,
  options: QueryOptions,
): Promise<boolean> {
  const sql = 'SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String}';
  return (await client.queryRows(sql, { ...options, params: { database, table } })).rows.length > 0;
}
