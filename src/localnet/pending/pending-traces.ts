import { toHex } from '../../ton/hash/hex.ts';
import type { CollatedStep } from '../collate/collate-step.ts';
import type { FinishedBlock } from '../collate/finish-block.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { MessageTrail } from './message-trail.ts';

/** A block that has transactions of pending traces. */
export interface PendingBlock {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly boc: Uint8Array;
  /** The masterchain block that committed it; null for a foreseen block, which the chain never sees. */
  readonly mcSeqno: number | null;
}

/** Traces that are not wholly in the blocks that readers know, with all their transactions so far and those foreseen. */
export interface PendingTracesView {
  /** Hashes of the external messages that began them, in the order of sending. */
  readonly externals: readonly Uint8Array[];
  /** In the order of the chain; the foreseen ones last. They have transactions of other traces too. */
  readonly blocks: readonly PendingBlock[];
}

/** One external message and all that follows from it. */
interface Trace {
  readonly external: Uint8Array;
  /** Messages that were not received yet. */
  onWay: number;
  /** The masterchain steps of its first and its newest transaction; null before the first. */
  first: number | null;
  last: number | null;
}

interface Foreseen {
  readonly chain: ChainState;
  readonly begun: number;
  readonly blocks: readonly PendingBlock[];
}

/**
 * Maximum lag of readers and maximum length of a trace; older traces are no longer shown. The bytes are the blocks kept
 * for it.
 */
const MAX_STEPS = 64;
const MAX_BYTES = 64_000_000;

/** Follows what is sent until its traces are in blocks that readers know. Costs nothing while nothing is sent. */
export class PendingTraces {
  private readonly traces = new Map<string, Trace>();
  private readonly trail = new MessageTrail<Trace>();
  private cached: PendingBlock[] = [];
  private cachedBytes = 0;
  private begun = 0;
  private foreseen: Foreseen | null = null;

  /** An external message was accepted. A repeated one restarts its trace. */
  begin(external: Uint8Array): void {
    const key = toHex(external);
    const before = this.traces.get(key);
    if (before) this.forget(before);
    const trace: Trace = { external: external.slice(), onWay: 1, first: null, last: null };
    this.traces.set(key, trace);
    this.trail.add(external, trace);
    this.begun++;
  }

  /** Whether an external message is one of those that are followed. */
  has(external: Uint8Array): boolean {
    return this.traces.has(toHex(external));
  }

  /** A step was made. */
  made({ chain, blocks, refused }: CollatedStep): void {
    if (this.traces.size === 0) return;
    const mcSeqno = chain.masterchain.block.seqno;
    for (const { message } of refused) {
      const trace = this.traces.get(toHex(message.cell.hash()));
      if (trace) this.forget(trace);
    }
    for (const block of blocks) {
      if (this.follow(block, mcSeqno)) this.cache(pendingBlock(block, mcSeqno));
    }
    this.dropOld(mcSeqno);
  }

  /**
   * Messages and blocks that readers who know the masterchain blocks up to `served` do not know yet. `foresee` gives
   * the steps that would follow; it is asked once until the chain goes on or another message comes.
   */
  view(served: number, chain: ChainState, foresee: () => Iterable<CollatedStep>): PendingTracesView {
    for (const trace of this.traces.values())
      if (trace.onWay === 0 && trace.last !== null && trace.last <= served) this.forget(trace);
    this.dropBlocks();
    const externals = [...this.traces.values()].map(({ external }) => external);
    return { externals, blocks: [...this.cached, ...this.foresight(chain, foresee)] };
  }

  private foresight(chain: ChainState, foresee: () => Iterable<CollatedStep>): readonly PendingBlock[] {
    if (this.trail.size === 0) {
      this.foreseen = null;
      return [];
    }
    if (this.foreseen?.chain !== chain || this.foreseen.begun !== this.begun)
      this.foreseen = { chain, begun: this.begun, blocks: foreseeBlocks(this.trail.copy(), foresee()) };
    return this.foreseen.blocks;
  }

  /** Takes note of a block. @returns whether it has transactions of traces that are followed */
  private follow({ links }: FinishedBlock, mcSeqno: number): boolean {
    let has = false;
    for (const link of links) {
      const trace = this.trail.follow(link);
      if (!trace) continue;
      const sent = link.transaction.messages.filter(({ kind }) => kind === 'internal').length;
      trace.onWay += sent - 1;
      trace.first ??= mcSeqno;
      trace.last = mcSeqno;
      has = true;
    }
    return has;
  }

  private cache(block: PendingBlock): void {
    this.cached.push(block);
    this.cachedBytes += block.boc.length;
  }

  /** Drops traces that no reader waits for, and those that would take too much memory. */
  private dropOld(mcSeqno: number): void {
    for (const trace of this.traces.values())
      if (trace.first !== null && trace.first <= mcSeqno - MAX_STEPS) this.forget(trace);
    this.dropBlocks();
    while (this.cachedBytes > MAX_BYTES) {
      const oldest = this.cached[0]!.mcSeqno!;
      for (const trace of this.traces.values())
        if (trace.first !== null && trace.first <= oldest) this.forget(trace);
      this.dropBlocks();
    }
  }

  /** Drops blocks from before the first transaction of every trace. */
  private dropBlocks(): void {
    const first = [...this.traces.values()].reduce((a, { first: b }) => Math.min(a, b ?? a), Infinity);
    if (this.cached.length === 0 || this.cached[0]!.mcSeqno! >= first) return;
    this.cached = this.cached.filter(({ mcSeqno }) => mcSeqno! >= first);
    this.cachedBytes = this.cached.reduce((sum, { boc }) => sum + boc.length, 0);
  }

  private forget(trace: Trace): void {
    this.traces.delete(toHex(trace.external));
    if (trace.onWay > 0) this.trail.forget(trace);
  }
}

/** The foreseen blocks that have transactions of the trail, until nothing of it is on its way. */
function foreseeBlocks(trail: MessageTrail<Trace>, steps: Iterable<CollatedStep>): PendingBlock[] {
  const found: PendingBlock[] = [];
  for (const { blocks, refused } of steps) {
    for (const { message } of refused) trail.drop(message.cell.hash());
    for (const block of blocks) {
      // Every link is followed: `some` would stop at the first.
      const own = block.links.filter((link) => trail.follow(link) !== undefined);
      if (own.length > 0) found.push(pendingBlock(block, null));
    }
    if (trail.size === 0) break;
  }
  return found;
}

/** Copies: a part of a larger buffer takes all of it along to another thread. */
function pendingBlock({ boc, ledger }: FinishedBlock, mcSeqno: number | null): PendingBlock {
  const { workchain, shard } = ledger.ident;
  const { seqno, rootHash, fileHash } = ledger.block;
  return { workchain, shard, seqno, rootHash: rootHash.slice(), fileHash: fileHash.slice(), boc, mcSeqno };
}
