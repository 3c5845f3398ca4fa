import type { ReadScope } from '../../query/scope.ts';
import { isVisible } from './find.ts';
import { SHARD_LIST, SHARD_SELECT, type ShardRow } from './shard-row.ts';

/** The shards named by a masterchain block, by (workchain, shard); empty outside the visible range. One query. */
export async function readShards(scope: ReadScope, mcSeqno: number): Promise<readonly ShardRow[]> {
  if (!isVisible(scope, mcSeqno)) return [];
  const rows = await scope.query({
    sql: `SELECT ${SHARD_SELECT} FROM ${scope.databases.base}.shards WHERE mc_seqno = {mc_seqno:UInt32} ORDER BY workchain, shard`,
    params: { mc_seqno: mcSeqno },
  });
  return rows.map(SHARD_LIST.row);
}
