import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { ofShards } from '../../platform/clickhouse/cluster-scope.ts';

/** A partition of a table with more than one part. */
export interface UnmergedPartition {
  readonly database: string;
  /** As DDL names it: on a cluster, the table of a shard. */
  readonly table: string;
  /** `partition_id` of the server: `all` without partitions, the number of the epoch if partitioned by epoch. */
  readonly partition: string;
  readonly parts: number;
  /** Size on disk. */
  readonly bytes: number;
  /** False if it is larger than the server itself would merge to one part. */
  readonly isMergeable: boolean;
}

/** The server's own default of `max_bytes_to_merge_at_max_space_in_pool`. */
const LARGEST_BYTES = 150 * 1024 ** 3;

const LIMIT = 'max_bytes_to_merge_at_max_space_in_pool = (\\d+)';

/** Partitions with more than one part: by database as given, table, and epoch. On a cluster, the largest shard counts. */
export async function readUnmerged(
  client: StoreClient,
  databases: readonly string[],
): Promise<readonly UnmergedPartition[]> {
  const { rows } = await client.queryRows<[string, string, string, number, string, boolean]>(
    `SELECT database, table, partition_id, max(parts) AS parts, max(part_bytes) AS bytes, bytes <= any(own_limit)
     FROM
     (
         SELECT database, table, partition_id, hostName() AS host, tcpPort() AS port, count() AS parts, sum(bytes_on_disk) AS part_bytes
         FROM ${ofShards(client, 'system.parts')} WHERE active AND database IN {databases:Array(String)}
         GROUP BY database, table, partition_id, host, port
     ) AS found
     INNER JOIN
     (
         SELECT database, name AS table,
             if(match(create_table_query, {limit:String}), toUInt64OrZero(extract(create_table_query, {limit:String})), {largest:UInt64}) AS own_limit
         FROM system.tables WHERE database IN {databases:Array(String)}
     ) AS known USING (database, table)
     GROUP BY database, table, partition_id HAVING parts > 1
     ORDER BY indexOf({databases:Array(String)}, database), table, length(partition_id), partition_id`,
    {
      route: 'bulk/parts',
      params: { databases, limit: LIMIT, largest: LARGEST_BYTES },
      maxRows: 1_000_000,
      timeoutMs: 60_000,
    },
  );
  return rows.map(([database, table, partition, parts, bytes, isMergeable]) => ({
    database,
    table,
    partition,
    parts: Number(parts),
    bytes: Number(bytes),
    isMergeable: Boolean(isMergeable),
  }));
}
