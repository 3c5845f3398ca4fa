import type { StoreClient } from './client.ts';
import { ofShards, tableOfLocal } from './cluster-scope.ts';
import { COLD_DISKS } from './cold-volume.ts';

/** After a start, the server answers when it has loaded the parts, which takes several requests for a part in a bucket. */
const LOADING_MS = 120_000;

export interface TableSize {
  readonly table: string;
  /** Rows that a recovery deleted count until a merge removes them. */
  readonly rows: bigint;
  /** Active parts: data, indexes and marks, compressed. */
  readonly bytesOnDisk: bigint;
  readonly uncompressedBytes: bigint;
  readonly parts: number;
}

/** Size of every table of a database that keeps rows, largest first; on a cluster, of one replica of every shard. */
export async function readTableSizes(client: StoreClient, database: string): Promise<TableSize[]> {
  const { rows } = await client.queryRows<[string, string, string, string, string]>(
    `SELECT table, sum(rows), sum(bytes_on_disk), sum(data_uncompressed_bytes), count()
     FROM ${ofShards(client, 'system.parts')} WHERE active AND database = {database:String}
     GROUP BY table ORDER BY sum(bytes_on_disk) DESC, table`,
    { route: 'sizes', params: { database }, timeoutMs: LOADING_MS },
  );
  return rows.map(([table, count, disk, uncompressed, parts]) => ({
    table: tableOfLocal(table, client.cluster),
    rows: BigInt(count),
    bytesOnDisk: BigInt(disk),
    uncompressedBytes: BigInt(uncompressed),
    parts: Number(parts),
  }));
}

/** Bytes of tables on the two volumes. */
export interface VolumeBytes {
  readonly hot_bytes: number;
  readonly cold_bytes: number;
}

/** Bytes on the two volumes by database and table; on a cluster, of one replica of every shard. */
export async function readVolumeBytes(
  client: StoreClient,
  databases: readonly string[],
): Promise<ReadonlyMap<string, VolumeBytes>> {
  const { rows } = await client.queryRows<[string, string, string, string]>(
    `SELECT database, table, sumIf(bytes_on_disk, NOT is_cold), sumIf(bytes_on_disk, is_cold) FROM
     (SELECT database, table, bytes_on_disk, disk_name IN ${COLD_DISKS} AS is_cold
      FROM ${ofShards(client, 'system.parts')} WHERE active AND database IN {databases:Array(String)})
     GROUP BY database, table`,
    { route: 'sizes', params: { databases }, maxRows: 100_000, timeoutMs: LOADING_MS },
  );
  return new Map(
    rows.map(([database, table, hot, cold]) => [
      `${database}.${tableOfLocal(table, client.cluster)}`,
      { hot_bytes: Number(hot), cold_bytes: Number(cold) },
    ]),
  );
}
