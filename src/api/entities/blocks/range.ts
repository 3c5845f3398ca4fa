import { LRUCache } from 'lru-cache';
import { answerCache } from '../../query/answer-cache.ts';
import type { ReadScope } from '../../query/scope.ts';
import { and, i32, identifier, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import type { PartialBlockId } from './filter.ts';
import { blockIndex } from './keys.ts';

/** Logical times of a block, decimal text. */
export interface BlockRange {
  readonly startLt: string;
  readonly endLt: string;
}

/** Blocks of a list of transactions: those of an id or a part of it, or of a masterchain step. */
export type BlocksNamed = PartialBlockId & { readonly mcSeqno?: number };

/** Ranges of visible blocks by their id as text. */
const getRanges = answerCache(() => new LRUCache<string, BlockRange>({ max: 50_000 }));

/** The logical times of a filter's blocks; null if it names none. One query, none if cached. */
export async function readBlockRange(scope: ReadScope, filter: BlocksNamed): Promise<BlockRange | null> {
  const statement = planBlockRange(scope.databases.base, filter);
  if (!statement) return null;
  const blocks = getRanges(scope);
  const { mcSeqno, workchain, shard, seqno } = filter;
  const key = mcSeqno === undefined ? `${workchain} ${shard} ${seqno}` : `${mcSeqno}`;
  const known = blocks.get(key);
  if (known) return known;
  const [row] = await scope.query(statement);
  const range = { startLt: row?.[0] as string, endLt: row?.[1] as string };
  // Other shards' blocks of this seqno may still come; the blocks of one id, and of a visible step, are complete.
  const complete = filter.mcSeqno === undefined ? filter.shard !== undefined : true;
  if (complete && range.endLt !== '0' && isVisible(scope, filter)) blocks.set(key, range);
  return range;
}

function isVisible({ visible }: ReadScope, { mcSeqno }: BlocksNamed): boolean {
  return mcSeqno === undefined || (mcSeqno >= visible.first && mcSeqno <= visible.last);
}

/** Finds the range of a filter's blocks; null if it names none. A row of two zeros: no such block. */
export function planBlockRange(database: string, filter: BlocksNamed): Sql | null {
  const { mcSeqno, workchain, shard, seqno } = filter;
  const range = sql`SELECT min(start_lt), max(end_lt) FROM`;
  if (mcSeqno !== undefined)
    return sql`${range} ${identifier(database, 'blocks')} PREWHERE mc_seqno = ${u32(mcSeqno)}`;
  if (seqno === undefined) return null;
  const id = and(
    workchain !== undefined && sql`workchain = ${i32(workchain)}`,
    sql`seqno = ${u32(seqno)}`,
    shard !== undefined && sql`shard = ${u64(shard)}`,
  );
  return sql`${range} ${blockIndex(database, 'id')} PREWHERE ${id}`;
}
