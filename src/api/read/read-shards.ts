import { BASE_TABLES } from '../../ton/columns/tables.ts';
import { isVisible } from './read-blocks.ts';
import type { ReadScope } from './read-scope.ts';
import { type RowOf, selectList } from './select-list.ts';

const LIST = selectList(BASE_TABLES.shards);

/** A top shard block as a masterchain block names it (ShardDescr): hashes base64, `shard` unsigned decimal text. */
export type ShardRow = RowOf<typeof BASE_TABLES.shards>;

/** The shards named by a masterchain block, by (workchain, shard); empty outside the visible range. One query. */
export async function readShards(scope: ReadScope, mcSeqno: number): Promise<readonly ShardRow[]> {
  if (!isVisible(scope, mcSeqno)) return [];
  const rows = await scope.query({
    sql: `SELECT ${LIST.sql} FROM ${scope.database}.shards WHERE mc_seqno = {mc_seqno:UInt32} ORDER BY workchain, shard`,
    params: { mc_seqno: mcSeqno },
  });
  return rows.map(LIST.row);
}
