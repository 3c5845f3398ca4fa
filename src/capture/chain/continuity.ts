import { toHex } from '../../ton/hash/hex.ts';
import {
  type BlockId,
  type BlockIdExt,
  blockIdExtText,
  blockIdText,
  isMasterchain,
  sameBlock,
  sameBytes,
  samePlace,
} from '../block-id.ts';
import type { ShardTop } from '../shard-top.ts';
import type { ChainTip, ShardTip } from '../source.ts';
import { ChainGapError, ChangedBlockError, ForeignBlockError, MissingBlockError } from './chain-errors.ts';
import { overlap } from './shard-prefix.ts';

/** Parts of a block that continuity reads; a `SourceBlock` has them. */
export interface LinkedBlock {
  readonly id: BlockIdExt;
  readonly origin: string;
  readonly header: {
    readonly globalId: number;
    readonly vertSeqno: number;
    /** One block before, or two after a merge; of the parent's shard after a split. */
    readonly prevRefs: readonly BlockIdExt[];
    readonly afterMerge: boolean;
  };
}

/** The requested shard block (any with that workchain, shard and seqno), or null if the source has none. */
export type FindBlock<B extends LinkedBlock> = (id: BlockIdExt) => Promise<B | null>;

export interface ContinuityOptions<B extends LinkedBlock> {
  /** Root hash of the state before a block: needed if a tip is known only by its state. */
  readonly stateHashBefore: (block: B) => Uint8Array;
  /** The masterchain blocks at which vert_seqno may change. */
  readonly hardForks: readonly BlockIdExt[];
}

/**
 * Proves that blocks form one chain. It takes masterchain blocks in sequence and follows the previous-block references
 * of their shard blocks back to known ones, including splits and merges. The result is what a masterchain block
 * commits: every shard block once, parents before children.
 *
 * Without a tip it starts in mid-chain: the first masterchain block is accepted, and its shard chains are followed as
 * far back as the source has them, since the earlier references are unknown. Masterchain block 1 is different: all its
 * chains go back to zerostates.
 */
export class Continuity<B extends LinkedBlock> {
  private masterchain: ShardTip | null;
  private shards: readonly ShardTip[] | null;
  private globalId: number | null;
  private vertSeqno: number | null;
  private readonly options: ContinuityOptions<B>;

  constructor(tip: ChainTip | null, options: ContinuityOptions<B>) {
    this.masterchain = tip?.masterchain ?? null;
    this.shards = tip?.shards ?? null;
    this.globalId = tip?.globalId ?? null;
    this.vertSeqno = tip?.vertSeqno ?? null;
    this.options = options;
  }

  /** Tip of the chain; null before the first block of a start without a tip. */
  get tip(): ChainTip | null {
    const { masterchain, shards, globalId, vertSeqno } = this;
    if (masterchain === null || shards === null || globalId === null || vertSeqno === null) return null;
    return { mcSeqno: masterchain.seqno, masterchain, shards, globalId, vertSeqno };
  }

  /**
   * Takes the next masterchain block. `tops` are the shard blocks that it names. Nothing is changed by a failure.
   * @returns the shard blocks that it commits, parents before children
   * @throws MissingBlockError, ChangedBlockError, ForeignBlockError, ChainGapError
   */
  async next(block: B, tops: readonly ShardTop[], find: FindBlock<B>): Promise<B[]> {
    this.checkNetwork(block);
    this.checkMasterchain(block);
    const known = this.shards ?? (block.id.seqno === 1 ? [] : null);
    const walk = new ShardWalk(block, known, find, this.options);
    for (const top of tops) await walk.from(top);
    walk.end();
    this.masterchain = block.id;
    this.shards = tops;
    this.globalId = block.header.globalId;
    this.vertSeqno = block.header.vertSeqno;
    return walk.blocks;
  }

  private checkNetwork({ id, header, origin }: B): void {
    if (this.globalId === null || header.globalId === this.globalId) return;
    throw new ForeignBlockError(
      `${blockIdText(id)} in ${origin}`,
      'global_id',
      `${this.globalId}`,
      `${header.globalId}`,
    );
  }

  private checkMasterchain(block: B): void {
    const { id, header, origin } = block;
    const tip = this.masterchain;
    if (tip === null) return;
    if (id.seqno !== tip.seqno + 1) throw new ChainGapError(tip.seqno + 1, id.seqno, origin);
    checkLink(block, tip, this.options);
    if (header.vertSeqno === this.vertSeqno) return;
    if (this.options.hardForks.some((fork) => sameBlock(fork, id))) return;
    throw new ForeignBlockError(
      `${blockIdExtText(id)} in ${origin}`,
      'vert_seqno (no hard fork is declared for this block)',
      `${this.vertSeqno}`,
      `${header.vertSeqno}`,
    );
  }
}

/** Checks that a shard block has the masterchain block's network and fork. */
function checkShardBlock(block: LinkedBlock, masterchain: LinkedBlock): void {
  const { globalId, vertSeqno } = masterchain.header;
  const { header } = block;
  if (header.globalId !== globalId)
    throw new ForeignBlockError(by(block), 'global_id', `${globalId}`, `${header.globalId}`);
  // A shard follows a hard fork later than the masterchain, never before it.
  if (header.vertSeqno > vertSeqno)
    throw new ForeignBlockError(by(block), 'vert_seqno', `at most ${vertSeqno}`, `${header.vertSeqno}`);
}

/** Checks that `block` follows `tip`, by the hashes and state that the tip has. */
function checkLink<B extends LinkedBlock>(
  block: B,
  tip: ShardTip,
  { stateHashBefore }: ContinuityOptions<B>,
): void {
  const { id, header, origin } = block;
  const where = `${blockIdText(id)} in ${origin}`;
  if (isBlock(tip) && !header.prevRefs.some((prev) => sameBlock(prev, tip))) {
    const named = header.prevRefs.map(blockIdExtText).join(' and ');
    throw new ForeignBlockError(where, 'the block before it', blockIdExtText(tip), named);
  }
  // After a merge the update begins with both parents' states in one cell; each cannot be compared separately.
  if (!tip.stateHash || header.afterMerge) return;
  const before = stateHashBefore(block);
  if (sameBytes(before, tip.stateHash)) return;
  throw new ForeignBlockError(
    where,
    `the state before it (${blockIdText(tip)})`,
    toHex(tip.stateHash),
    toHex(before),
  );
}

function isBlock(tip: ShardTip): tip is BlockIdExt {
  return tip.rootHash !== undefined;
}

/** The block that names another one: for errors. */
function by({ id, origin }: LinkedBlock): string {
  return `${blockIdText(id)} in ${origin}`;
}

/** A block on the way back, and how many of its parents are done. */
interface Frame<B> {
  readonly block: B;
  parent: number;
}

/** The walk from the shard blocks that one masterchain block names back to those that were known before it. */
class ShardWalk<B extends LinkedBlock> {
  readonly blocks: B[] = [];
  private readonly masterchain: B;
  /** Null where nothing is known of before: blocks that are not there end the walk. */
  private readonly tips: readonly ShardTip[] | null;
  private readonly find: FindBlock<B>;
  private readonly options: ContinuityOptions<B>;
  private readonly reached = new Set<ShardTip>();
  private readonly seen = new Map<string, B>();

  constructor(
    masterchain: B,
    tips: readonly ShardTip[] | null,
    find: FindBlock<B>,
    options: ContinuityOptions<B>,
  ) {
    this.masterchain = masterchain;
    this.tips = tips;
    this.find = find;
    this.options = options;
  }

  /** Depth first on a stack of its own: a shard may have made any number of blocks since. */
  async from(top: ShardTop): Promise<void> {
    const first = await this.visit(top, this.masterchain, top.regMcSeqno);
    const stack: Frame<B>[] = first ? [{ block: first, parent: 0 }] : [];
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const { block } = frame;
      const prev = block.header.prevRefs[frame.parent++];
      if (prev === undefined) {
        this.blocks.push(block);
        stack.pop();
        continue;
      }
      const parent = await this.visit(prev, block, null);
      if (parent) stack.push({ block: parent, parent: 0 });
    }
  }

  /** Checks that no shard disappeared: each known one is still the newest or has a child in this step. */
  end(): void {
    const lost = this.tips?.find((tip) => !this.reached.has(tip));
    if (lost === undefined) return;
    throw new ForeignBlockError(
      by(this.masterchain),
      'a shard chain',
      `from ${blockIdText(lost)} on`,
      'none',
    );
  }

  /** The next block of the walk, or null at its end: a known block, a zerostate or one already seen in this step. */
  private async visit(id: BlockIdExt, child: B, regMcSeqno: number | null): Promise<B | null> {
    const seen = this.seen.get(blockIdText(id));
    if (seen) {
      if (sameBlock(seen.id, id)) return null;
      throw new ChangedBlockError(id, by(child), seen.id, seen.origin);
    }
    if (this.isKnown(id, child)) return null;
    if (id.seqno === 0) return this.startWorkchain(id, child);
    // Named by an earlier masterchain block already, which is not in this source.
    const border = this.tips === null && regMcSeqno !== this.masterchain.id.seqno;
    if (border && regMcSeqno !== null) return null;
    const block = await this.find(id);
    if (block === null) {
      if (border) return null;
      throw new MissingBlockError(id, by(child));
    }
    if (!sameBlock(block.id, id)) throw new ChangedBlockError(id, by(child), block.id, block.origin);
    checkShardBlock(block, this.masterchain);
    this.seen.set(blockIdText(id), block);
    return block;
  }

  /** True if the block was known before. A chain that does not meet known blocks is another chain. */
  private isKnown(id: BlockIdExt, child: B): boolean {
    for (const tip of this.tips ?? []) {
      if (!overlap(tip, id) || tip.seqno < id.seqno) continue;
      this.checkTip(id, tip, child);
      this.reached.add(tip);
      return true;
    }
    return false;
  }

  private checkTip(id: BlockIdExt, tip: ShardTip, child: B): void {
    if (!samePlace(tip, id))
      throw new ForeignBlockError(by(child), 'the block before it', blockIdText(tip), blockIdExtText(id));
    if (isBlock(tip) && !sameBlock(tip, id))
      throw new ChangedBlockError(tip, 'the chain before', id, by(child));
    // If the masterchain names the tip itself, there is no child to compare the state with.
    if (!isMasterchain(child.id)) checkLink(child, tip, this.options);
  }

  /** A workchain begins with a zerostate that the masterchain names; it has no block. */
  private startWorkchain(id: BlockIdExt, child: B): null {
    const known = this.tips?.find((tip: BlockId) => tip.workchain === id.workchain);
    if (!known) return null;
    throw new ForeignBlockError(by(child), 'the block before it', blockIdText(known), blockIdExtText(id));
  }
}
