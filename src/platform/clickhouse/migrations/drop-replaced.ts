import type { StoreClient } from '../client.ts';
import { localTable, onCluster } from '../cluster-scope.ts';
import { metaDatabase } from './database-names.ts';

const route = 'migrations';
/** Tables of the network's database that earlier files create and this release does not use; views come first. */
const REPLACED =
  'confirmed_tokens_mv confirmed_tokens detections detected_keys detected_contracts detected_contract_keys method_results'.split(
    ' ',
  );

/**
 * Drops the tables of detection that earlier releases had in the network's database: the projection `detections` replaces
 * them. It can be repeated, and run by several processes.
 */
export async function dropReplaced(client: StoreClient, network: string): Promise<void> {
  const database = metaDatabase(network);
  const names = REPLACED.flatMap((name) => [...new Set([name, localTable(name, client.cluster)])]);
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.tables WHERE database = {database:String} AND name IN {names:Array(String)}',
    { route, params: { database, names } },
  );
  const found = new Set(rows.map(([name]) => name));
  for (const name of names)
    if (found.has(name))
      await client.command(`DROP TABLE IF EXISTS ${database}.${name}${onCluster(client)} SYNC`, { route });
}
