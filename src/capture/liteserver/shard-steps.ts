import { type BlockIdExt, blockIdText } from '../block-id.ts';
import { Continuity } from '../chain/continuity.ts';
import { readShardTops, readStateHashBefore } from '../read-block.ts';
import type { ShardTop } from '../shard-top.ts';
import type { ChainTip, SourceBlock, Step } from '../source.ts';
import type { BlockFetcher } from './block-fetcher.ts';
import { lookAhead } from './look-ahead.ts';

/** Masterchain blocks whose shard blocks are fetched at the same time. */
const STEPS_AHEAD = 64;
/** Shard blocks of one shard between two masterchain blocks that are fetched ahead; more are fetched in their turn. */
const MAX_CHAIN = 64;

export interface StepParts {
  readonly blocks: BlockFetcher;
  readonly hardForks: readonly BlockIdExt[];
  /** Ends reads that are under way when the caller has enough. */
  readonly stop: () => void;
}

/**
 * Complete steps from proven masterchain blocks: the shard blocks that each one names, and those before them back to the
 * known ones. They are named by hashes, so they are as proven as the masterchain block.
 */
export async function* shardSteps(
  masterchain: AsyncIterator<SourceBlock>,
  after: ChainTip | null,
  { blocks, hardForks, stop }: StepParts,
): AsyncGenerator<Step> {
  const continuity = new Continuity<SourceBlock>(after, { stateHashBefore: readStateHashBefore, hardForks });
  let tops = new Set(after?.shards.map(blockIdText));
  /** Of the blocks that were read ahead. */
  const topsOf = new Map<SourceBlock, ShardTop[]>();
  const onItem = (block: SourceBlock) => {
    const named = readShardTops(block);
    topsOf.set(block, named);
    const before = tops;
    tops = new Set(named.map(blockIdText));
    for (const top of named)
      if (top.regMcSeqno === block.id.seqno) void fetchChain(blocks, top, before).catch(() => {});
  };
  const hasRoom = (waiting: number) => waiting < STEPS_AHEAD && blocks.hasRoom;
  for await (const block of lookAhead(masterchain, hasRoom, { onItem, stop })) {
    const named = topsOf.get(block) as ShardTop[];
    topsOf.delete(block);
    const shardBlocks = await continuity.next(block, named, (id) => blocks.take(id));
    yield { mcSeqno: block.id.seqno, states: [], blocks: [...shardBlocks, block] };
  }
}

/** Fetches a shard block and those before it, up to the ones that the previous masterchain block named. */
async function fetchChain(blocks: BlockFetcher, top: BlockIdExt, known: ReadonlySet<string>): Promise<void> {
  const open: BlockIdExt[] = [top];
  const seen = new Set<string>();
  for (let id = open.pop(); id && seen.size < MAX_CHAIN; id = open.pop()) {
    const key = blockIdText(id);
    if (id.seqno === 0 || known.has(key) || seen.has(key)) continue;
    seen.add(key);
    const { header } = await blocks.prefetch(id);
    open.push(...header.prevRefs);
  }
}
