import { type ReadScope, within } from '../../query/scope.ts';
import { and, i32, identifier, type Sql, sql, u32, u64, u64s } from '../../query/sql.ts';
import { planBlocks } from './find.ts';
import { KEY, selectKeys } from './keys.ts';
import { BLOCK_SELECT, type BlockRow, blockRow } from './model.ts';
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

export function planFindBlock(scope: Pick<ReadScope, 'databases' | 'visible'>, query: BlockQuery): Sql {
  const { databases, visible } = scope;
  const database = databases.base;
  const page = { limit: 1, offset: 0, descending: false };
  if (!('workchain' in query)) return planBlocks(database, query, page, visible).statement;
  const { workchain, shard } = query;
  const related = and(intersecting(workchain, shard), within(visible));
  const first = (by: Parameters<typeof selectKeys>[1], bound: Sql, order: Sql) => {
    const keys = selectKeys(database, by, sql`${related} AND ${bound} ORDER BY ${order} LIMIT 1`);
    return sql`SELECT ${BLOCK_SELECT} FROM ${identifier(database, 'blocks')} WHERE (${KEY}) IN (${keys})`;
  };
  if ('seqno' in query)
    // The shard itself before its relatives, which may have the same seqno.
    return first('id', sql`seqno = ${u32(query.seqno)}`, sql`shard = ${u64(shard)} DESC, shard`);
  if ('lt' in query) return first('lt', sql`end_lt >= ${u64(query.lt)}`, sql`end_lt, shard, seqno`);
  const order = sql`gen_utime, workchain, shard, seqno`;
  return first('time', sql`gen_utime >= ${u32(query.utime)}`, order);
}

/**
 * Blocks of the workchain whose shard contains the given one or lies in it. A shard id is its prefix, a one and zeros:
 * the shards within it are those between its leftmost and rightmost ids, and its ancestors are listed.
 */
function intersecting(workchain: number, shard: bigint): Sql {
  const half = (shard & -shard) - 1n;
  const ancestors = u64s(ancestorShards(shard));
  return sql`workchain = ${i32(workchain)} AND (shard BETWEEN ${u64(shard - half)} AND ${u64(shard + half)} OR has(${ancestors}, shard))`;
}
