import type { Cell } from '../../ton/cell/cell.ts';
import type { BlockId } from '../../ton/decode/block-header.ts';
import { shardsTouch } from '../../ton/tlb/shard-ident.ts';
import { blockKey, type GivenBlock, LiteBlock } from './lite-block.ts';
import { type GivenState, StateWindow } from './state-window.ts';

/** A masterchain step: shard blocks, parents before children, then the masterchain block; or the start states. */
export interface GivenStep {
  readonly mcSeqno: number;
  readonly states: readonly (GivenState & { readonly id: BlockId })[];
  readonly blocks: readonly GivenBlock[];
}

/** Key of a look-up by shard and seqno, end of lt, or time. `shard` may contain the block's shard, or be inside it. */
export type BlockSought = { readonly workchain: number; readonly shard: bigint } & (
  | { readonly seqno: number }
  | { readonly lt: bigint }
  | { readonly utime: number }
);

/** Steps whose blocks and states are kept. */
const MAX_STEPS = 1_000;
/** Bytes of kept blocks; the newest steps are kept in any case. */
const MAX_BYTES = 256 * 2 ** 20;
const MIN_STEPS = 32;

/** The newest steps of a chain in memory: blocks, states, and the zerostates. */
export class LiteChain {
  /** Zerostates by `blockKey`. */
  readonly zerostates = new Map<string, GivenStep['states'][number]>();
  readonly #states = new StateWindow();
  readonly #blocks = new Map<string, LiteBlock>();
  /** By masterchain seqno. */
  readonly #steps = new Map<number, readonly LiteBlock[]>();
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #head: LiteBlock | null = null;

  /** The newest masterchain block; null before the first step. */
  get head(): LiteBlock | null {
    return this.#head;
  }

  /** Adds the newest whole states of all shards before the next step: an index that continues needs them. */
  seed(states: readonly GivenState[], mcSeqno: number): void {
    for (const state of states) this.#states.addTip(state, mcSeqno);
  }

  /** True if the states before all blocks of the step are known, or become known within it. */
  hasStatesFor({ blocks, states }: GivenStep): boolean {
    const [first] = blocks;
    return states.length > 0 || !first || this.#states.canApply(new LiteBlock(first, 0));
  }

  /** Adds the next step. */
  take({ mcSeqno, states, blocks }: GivenStep): void {
    for (const state of states) {
      this.zerostates.set(blockKey(state.id), state);
      this.#states.add(state, mcSeqno, true);
    }
    const step = blocks.map((block) => new LiteBlock(block, mcSeqno));
    for (const block of step) {
      this.#blocks.set(blockKey(block.header), block);
      this.#bytes += block.boc.length;
      this.#states.apply(block);
    }
    const head = step.findLast(({ header }) => header.workchain === -1);
    if (!head) return;
    this.#steps.set(mcSeqno, step);
    this.#head = head;
    this.#drop();
    for (const wake of this.#waiting) wake();
  }

  /** A block by workchain, shard and seqno. */
  block(id: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): LiteBlock | null {
    return this.#blocks.get(blockKey(id)) ?? null;
  }

  /**
   * The first block that ends at or after an lt or a time, or the one with a seqno, in a shard or its relatives. null if
   * it may be older than the blocks in memory.
   */
  find(sought: BlockSought): LiteBlock | null {
    const exact = 'seqno' in sought ? this.block(sought) : null;
    if (exact) return exact;
    for (const step of this.#steps.values()) {
      const found = step.find(({ header }) => isSought(header, sought));
      if (found) return this.#isFirst(found, sought) ? found : null;
    }
    return null;
  }

  /** True if no block before memory can be the one that is sought. */
  #isFirst({ header }: LiteBlock, sought: BlockSought): boolean {
    if ('seqno' in sought || ('lt' in sought && sought.lt >= header.startLt)) return true;
    return header.prevRefs.some((ref) => ref.seqno === 0 || this.#blocks.has(blockKey(ref)));
  }

  /** A zerostate by its id; null if it is not kept. */
  zerostate({ rootHash }: BlockId): Cell | null {
    return this.#states.byRootHash(rootHash);
  }

  /** The state after a block, which itself may be older than the ones in memory; null if it is not kept. */
  stateAfter(block: LiteBlock): Cell | null {
    return this.#states.after(block);
  }

  /** Resolves to true once the masterchain block is known, or to false after the time or when the signal is aborted. */
  async waitFor(seqno: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const isThere = () => (this.#head?.header.seqno ?? -1) >= seqno;
    if (isThere()) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => isThere() && resolve();
    const timer = setTimeout(resolve, timeoutMs);
    const stop = () => resolve();
    this.#waiting.add(wake);
    signal.addEventListener('abort', stop);
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    this.#waiting.delete(wake);
    return isThere();
  }

  #drop(): void {
    for (const [mcSeqno, blocks] of this.#steps) {
      const count = this.#steps.size;
      if (count <= MIN_STEPS || (count <= MAX_STEPS && this.#bytes <= MAX_BYTES)) return;
      this.#steps.delete(mcSeqno);
      for (const { header, boc } of blocks) {
        this.#blocks.delete(blockKey(header));
        this.#bytes -= boc.length;
      }
      this.#states.dropBelow(mcSeqno + 1);
    }
  }
}

function isSought(header: LiteBlock['header'], sought: BlockSought): boolean {
  if (header.workchain !== sought.workchain || !shardsTouch(header.shard, sought.shard)) return false;
  if ('seqno' in sought) return header.seqno === sought.seqno;
  if ('lt' in sought) return header.endLt >= sought.lt;
  return header.genUtime >= sought.utime;
}
