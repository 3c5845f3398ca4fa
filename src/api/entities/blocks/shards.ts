import { BASE_TABLES } from '../../../tables/base-tables.ts';
import { selectServed } from '../../compat/select-served.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';
import { identifier, sql, u32 } from '../../query/sql.ts';

const LIST = selectList(BASE_TABLES.shards);
const SELECT = selectServed(LIST, 'shards');

/** A top shard block as a masterchain block names it (ShardDescr): hashes base64, `shard` unsigned decimal text. */
export type ShardRow = SelectedRow<typeof BASE_TABLES.shards>;

/** The shards named by a masterchain block, by (workchain, shard); empty outside the visible range. One query. */
export async function readShards(scope: ReadScope, mcSeqno: number): Promise<readonly ShardRow[]> {
  if (!isVisible(mcSeqno, scope.visible)) return [];
  const shards = identifier(scope.databases.base, 'shards');
  const rows = await scope.query(
    sql`SELECT ${SELECT} FROM ${shards} WHERE mc_seqno = ${u32(mcSeqno)} ORDER BY workchain, shard`,
  );
  return rows.map(LIST.row);
}
