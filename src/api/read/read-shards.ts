import { isVisible } from './read-blocks.ts';
import type { ReadScope } from './read-scope.ts';
import { SHARD_LIST, type ShardRow } from './shard-row.ts';

/** The shards named by a masterchain block, by (workchain, shard); empty outside the visible range. One query. */
export async function readShards(scope: ReadScope, mcSeqno: number): Promise<readonly ShardRow[]> {
  if (!isVisible(scope, mcSeqno)) return [];
  const rows = await scope.query({
    sql: `SELECT {{shards}} FROM ${scope.databases.base}.shards WHERE mc_seqno = {mc_seqno:UInt32} ORDER BY workchain, shard`,
    params: { mc_seqno: mcSeqno },
  });
  return rows.map(SHARD_LIST.row);
}
