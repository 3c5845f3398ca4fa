import type { ReadScope } from '../query/scope.ts';
import { type BlockRange, getCaches } from './answer-caches.ts';
import { planBlockRange } from './plan-transactions.ts';
import type { TransactionFilter } from './transaction-filter.ts';

/** The logical times of a filter's blocks; null if it names none. One query, none if cached. */
export async function readBlockRange(
  scope: ReadScope,
  filter: TransactionFilter,
): Promise<BlockRange | null> {
  const statement = planBlockRange(scope.databases.base, filter);
  if (!statement) return null;
  const { blocks } = getCaches(scope.context, scope.databases.base);
  const key = JSON.stringify(statement.params);
  const known = blocks.get(key);
  if (known) return known;
  const [row] = await scope.query(statement);
  const range = { startLt: row?.[0] as string, endLt: row?.[1] as string };
  // Other shards' blocks of this seqno may still come; the blocks of one id, and of a visible step, are complete.
  const complete = filter.mcSeqno === undefined ? filter.shard !== undefined : true;
  if (complete && range.endLt !== '0' && isVisible(scope, filter)) blocks.set(key, range);
  return range;
}

function isVisible({ visible }: ReadScope, { mcSeqno }: TransactionFilter): boolean {
  return mcSeqno === undefined || (mcSeqno >= visible.first && mcSeqno <= visible.last);
}
