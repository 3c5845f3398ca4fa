import type { StoreClient } from './client.ts';
import { ofShards, tableOfLocal } from './cluster-scope.ts';

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
    { route: 'sizes', params: { database } },
  );
  return rows.map(([table, count, disk, uncompressed, parts]) => ({
    table: tableOfLocal(table, client.cluster),
    rows: BigInt(count),
    bytesOnDisk: BigInt(disk),
    uncompressedBytes: BigInt(uncompressed),
    parts: Number(parts),
  }));
}
