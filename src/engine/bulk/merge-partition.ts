import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import type { UnmergedPartition } from './unmerged-partitions.ts';

const route = 'bulk/merge';

/**
 * Merges a partition to one part. Safe to interrupt: the server keeps the old parts until the new one is complete. Does
 * nothing if the disk has no space for the new part.
 */
export async function mergePartition(
  client: StoreClient,
  { database, table, partition }: Pick<UnmergedPartition, 'database' | 'table' | 'partition'>,
  signal: AbortSignal,
): Promise<void> {
  await client.command(
    `OPTIMIZE TABLE ${database}.${table}${onCluster(client)} PARTITION ID {partition:String} FINAL`,
    { route, params: { partition }, signal },
  );
}

/** Bytes of the partition that the running merge has read. */
export async function mergedBytes(
  client: StoreClient,
  { database, table, partition }: Pick<UnmergedPartition, 'database' | 'table' | 'partition'>,
): Promise<number> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT sum(progress * total_size_bytes_compressed) FROM system.merges
     WHERE database = {database:String} AND table = {table:String} AND partition_id = {partition:String}`,
    { route, params: { database, table, partition } },
  );
  return Number(rows[0]?.[0] ?? 0);
}
