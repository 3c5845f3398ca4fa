import type { StoreClient } from './client.ts';
import { ofShards, onCluster } from './cluster-scope.ts';

/** Larger tables are left to the server's own merges: rewriting one would take minutes. */
const LARGEST_BYTES = 4 * 1024 ** 3;

/**
 * Merges the tables of a database to one part a partition, if they are small enough: each part costs a look-up 0.6 ms
 * and more (measured). For the end of a bulk load; safe to interrupt. On a cluster, the largest shard decides.
 */
export async function compactTables(
  client: StoreClient,
  database: string,
  options: { readonly route: string; readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT table FROM
     (
         SELECT table, hostName() AS host, tcpPort() AS port, count() > uniqExact(partition_id) AS many, sum(bytes_on_disk) AS bytes
         FROM ${ofShards(client, 'system.parts')} WHERE active AND database = {database:String} GROUP BY table, host, port
     )
     GROUP BY table HAVING max(many) AND max(bytes) <= {largest:UInt64} ORDER BY table`,
    { ...options, params: { database, largest: LARGEST_BYTES } },
  );
  for (const [table] of rows) {
    options.signal?.throwIfAborted();
    await client.command(`OPTIMIZE TABLE ${database}.${table}${onCluster(client)} FINAL`, options);
  }
  return rows.map(([table]) => table);
}
