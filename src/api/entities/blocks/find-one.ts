import { boundToVisible, type ReadScope } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import { BLOCK_SELECT, type BlockRow, blockRow } from './model.ts';
import { planBlocks } from './plan.ts';
import { ancestorShards } from './shard-text.ts';

/** Key of a block look-up. `shard` is unsigned; it may contain the block's shard or be contained in it. */
export type BlockQuery =
  | { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  | { readonly workchain: number; readonly shard: bigint; readonly lt: bigint }
  | { readonly workchain: number; readonly shard: bigint; readonly utime: number }
  /** Root or file hash, 64 hex digits; both where both are given. */
  | { readonly rootHash?: string; readonly fileHash?: string };

/**
 * The block of an id, of a hash, the first of a shard that ends at or after an lt, or the first generated at or after a
 * time (v2-endpoints.md, lookupBlock). null if none is visible. One query.
 */
export async function findBlock(scope: ReadScope, query: BlockQuery): Promise<BlockRow | null> {
  const [row] = await scope.query(planFindBlock(scope, query));
  return row ? blockRow(row) : null;
}

export function planFindBlock(scope: Pick<ReadScope, 'databases' | 'visible'>, query: BlockQuery): Statement {
  const { databases, visible } = scope;
  const database = databases.base;
  const page = { limit: 1, offset: 0, descending: false };
  if (!('workchain' in query)) return planBlocks(database, query, page, visible).statement;
  const { workchain, shard } = query;
  const key = 'mc_seqno, workchain, shard, seqno';
  const related = boundToVisible(intersecting(workchain, shard), visible);
  const first = (table: string, order: string) =>
    related.statement(
      `SELECT ${BLOCK_SELECT} FROM ${database}.blocks WHERE (${key}) IN (SELECT ${key} FROM ${database}.${table} WHERE ${related.text} ORDER BY ${order} LIMIT 1)`,
    );
  if ('seqno' in query) {
    related.add('seqno = {seqno:UInt32}', { seqno: query.seqno }).bind({ shard: `${shard}` });
    // The shard itself before its relatives, which may have the same seqno.
    return first('blocks_by_id', 'shard = {shard:UInt64} DESC, shard');
  }
  if ('lt' in query) {
    related.add('end_lt >= {lt:UInt64}', { lt: `${query.lt}` });
    return first('blocks_by_lt', 'end_lt, shard, seqno');
  }
  related.add('gen_utime >= {utime:UInt32}', { utime: query.utime });
  return first('blocks_by_time', 'gen_utime, workchain, shard, seqno');
}

/**
 * Blocks of the workchain whose shard contains the given one or lies in it. A shard id is its prefix, a one and zeros:
 * the shards within it are those between its leftmost and rightmost ids, and its ancestors are listed.
 */
function intersecting(workchain: number, shard: bigint): Conditions {
  const half = (shard & -shard) - 1n;
  return new Conditions()
    .add('workchain = {workchain:Int32}', { workchain })
    .add(
      '(shard BETWEEN {shard_first:UInt64} AND {shard_last:UInt64} OR has({shard_ancestors:Array(UInt64)}, shard))',
      {
        shard_first: `${shard - half}`,
        shard_last: `${shard + half}`,
        shard_ancestors: `[${ancestorShards(shard).join(',')}]`,
      },
    );
}
