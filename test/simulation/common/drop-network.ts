import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { dropDatabases } from '../../helpers/drop-databases.ts';

const route = 'simulation';

/** Drops every database of a network; the store is the simulation's own. */
export async function dropNetwork(client: StoreClient, network: string): Promise<void> {
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.databases WHERE name = {network:String} OR startsWith(name, {prefix:String})',
    { route, params: { network, prefix: `${network}_` } },
  );
  await dropDatabases(client, rows.flat(), route);
}
