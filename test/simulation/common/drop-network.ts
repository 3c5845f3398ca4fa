import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { dropDatabases } from '../../helpers/drop-databases.ts';

const route = 'simulation';

/** Drops every database of a network; the store is the simulation's own. */
export async function dropNetwork(client: StoreClient, network: string): Promise<void> {
  // Dictionaries of the views for analysts read tables of several databases.
  const { rows: dictionaries } = await client.queryRows<[string]>(
    'SELECT name FROM system.dictionaries WHERE database = {network:String}',
    { route, params: { network } },
  );
  for (const [name] of dictionaries)
    await client.command(`DROP DICTIONARY IF EXISTS ${network}.${name} SYNC`, { route });
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.databases WHERE name = {network:String} OR startsWith(name, {prefix:String})',
    { route, params: { network, prefix: `${network}_` } },
  );
  await dropDatabases(client, rows.flat(), route);
}
