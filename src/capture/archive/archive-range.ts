import { type BlockRange, RangeStartError } from '../block-range.ts';
import type { BlockShelf } from '../chain/chain-steps.ts';
import { tipAfter } from '../log-tail.ts';
import type { ChainTip, SourceFacts, Step } from '../source.ts';

/** Facts of a range of an archive. The blocks in it are not counted. */
export function factsOfRange(all: SourceFacts, range: BlockRange | null): SourceFacts {
  if (range === null || all.firstMcSeqno === null) return all;
  const first = Math.max(range.first ?? 0, all.firstMcSeqno);
  const last =
    all.lastMcSeqno === null ? range.last : Math.min(range.last ?? all.lastMcSeqno, all.lastMcSeqno);
  return { ...all, firstMcSeqno: first, lastMcSeqno: last, blocks: null };
}

/**
 * The steps of a range after `after`. A range that begins in the archive continues the block before it: its first step
 * has exactly the shard blocks that its masterchain block commits.
 * @throws RangeStartError
 */
export async function* stepsOfRange(
  shelf: BlockShelf,
  range: BlockRange | null,
  after: ChainTip | null,
  steps: (after: ChainTip | null) => AsyncIterable<Step>,
): AsyncGenerator<Step> {
  const tip = after ?? (await tipBefore(shelf, range?.first ?? null));
  const last = range?.last ?? Number.POSITIVE_INFINITY;
  if (tip && tip.mcSeqno >= last) return;
  for await (const step of steps(tip)) {
    if (step.mcSeqno > last) return;
    yield step;
    if (step.mcSeqno === last) return;
  }
}

async function tipBefore(shelf: BlockShelf, first: number | null): Promise<ChainTip | null> {
  if (first === null || first <= 1) return null;
  const id = await shelf.masterchainId(first - 1);
  const block = id && (await shelf.read(id));
  if (!block) throw new RangeStartError('the archive', first);
  return tipAfter(block);
}
