import type { VisibleRange } from '../version-vector.ts';
import type { Endpoint } from './endpoint.ts';

/** Routes whose `seqno` is a masterchain block's, which determines the whole list. */
const OF_MASTERCHAIN_BLOCK: ReadonlySet<string> = new Set([
  '/masterchainBlockShardState',
  '/masterchainBlockShards',
  '/transactionsByMasterchainBlock',
]);

/** Whether an answer speaks of one masterchain block that is visible: blocks that come later change nothing in it. */
export function isFinished(
  { path, cached }: Pick<Endpoint, 'path' | 'cached'>,
  values: Readonly<Record<string, unknown>>,
  { first, last }: VisibleRange,
): boolean {
  const seqno = OF_MASTERCHAIN_BLOCK.has(path) ? values.seqno : values.mc_seqno;
  return cached === true && typeof seqno === 'number' && seqno >= first && seqno <= last;
}
