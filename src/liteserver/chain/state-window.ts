import { applyUpdate } from '../../ton/cell/apply-update.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { toSlice } from '../../ton/cell/to-slice.ts';
import { loadStateShard } from '../../ton/tlb/block/shard-state.ts';
import type { LiteBlock } from './lite-block.ts';

/** A whole state, from which the states after later blocks follow. */
export interface GivenState {
  readonly boc: Uint8Array;
}

/**
 * Whole states of the newest steps. Each state is the one before it with the block's state update applied, so states
 * share all cells that did not change.
 */
export class StateWindow {
  readonly #byHash = new Map<string, { readonly state: Cell; readonly mcSeqno: number }>();
  /** States of zerostates are never dropped: clients start from them. */
  readonly #kept = new Set<string>();
  /** The newest state of each shard, which stays although its step may be an old one. */
  readonly #tips = new Map<string, string>();

  /** Adds a whole state. `isKept`: it stays when older steps are dropped. */
  add({ boc }: GivenState, mcSeqno: number, isKept: boolean): Cell {
    const state = readCell(boc);
    this.#byHash.set(state.key, { state, mcSeqno });
    if (isKept) this.#kept.add(state.key);
    return state;
  }

  /** Adds the newest whole state of a shard, which stays until the shard has a newer one. */
  addTip(given: GivenState, mcSeqno: number): void {
    const state = this.add(given, mcSeqno, false);
    const { workchain, shard } = loadStateShard(toSlice(state));
    this.#tips.set(`${workchain}:${shard}`, state.key);
  }

  /** True if the state before the block is known, so that `apply` works. */
  canApply({ root }: LiteBlock): boolean {
    return this.#before(root.refs[2]!) !== null;
  }

  /** Computes the state after a block. Returns null if the state before it is unknown. */
  apply({ root, mcSeqno, header }: LiteBlock): Cell | null {
    const update = root.refs[2]!;
    const before = this.#before(update);
    if (!before) return null;
    const state = applyUpdate(before, update);
    this.#byHash.set(state.key, { state, mcSeqno });
    this.#tips.set(`${header.workchain}:${header.shard}`, state.key);
    return state;
  }

  /** The state after a block, or null if it is not kept. */
  after({ root }: LiteBlock): Cell | null {
    return this.#byHash.get(keyAt(root.refs[2]!, 33))?.state ?? null;
  }

  /** A state by its root hash, or null if it is not kept. */
  byRootHash(hash: Uint8Array): Cell | null {
    return this.#byHash.get(Buffer.from(hash).toString('latin1'))?.state ?? null;
  }

  /** Drops the states of steps below a seqno. */
  dropBelow(mcSeqno: number): void {
    const newest = new Set(this.#tips.values());
    for (const [key, known] of this.#byHash)
      if (known.mcSeqno < mcSeqno && !this.#kept.has(key) && !newest.has(key)) this.#byHash.delete(key);
  }

  #before(update: Cell): Cell | null {
    const known = this.#byHash.get(keyAt(update, 1));
    return known?.state ?? this.#joined(update);
  }

  /**
   * After a merge the old state is two states joined:
   *
   *     split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
   */
  #joined(update: Cell): Cell | null {
    const [left, right] = update.refs[0]!.refs;
    if (!left || !right) return null;
    const halves = [left, right].map((half) => this.#byHash.get(half.key)?.state);
    if (!halves[0] || !halves[1]) return null;
    const joined = new CellBuilder().uint(0x5f327da5, 32).ref(halves[0]).ref(halves[1]).cell();
    return joined.key === keyAt(update, 1) ? joined : null;
  }
}

/** A hash in the data of a Merkle update, as `Cell.key`. */
function keyAt(update: Cell, byte: number): string {
  return Buffer.from(update.data.subarray(byte, byte + 32)).toString('latin1');
}
