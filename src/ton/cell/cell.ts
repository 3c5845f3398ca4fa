import { addCompletionTag, bitsDescriptor } from '../boc/bits.ts';
import { MERKLE_PROOF, MERKLE_UPDATE, ORDINARY, PRUNED } from '../boc/cell-type.ts';
import { LEVELS_IN, MAX_LEVEL } from '../boc/level-mask.ts';
import { sha256Into } from '../hash/sha256.ts';

const HASH = 32;
/** Two descriptors, at most 128 bytes of data, four depths and hashes. Shared: hashing never waits. */
const scratch = new Uint8Array(2 + 128 + 4 * (2 + HASH));
/** Prefixes of the scratch buffer by length. Creating one costs a quarter of hashing it. */
const beginnings = Array.from({ length: scratch.length + 1 }, (_, end) => scratch.subarray(0, end));

/**
 * A cell that is being made, as an object; cells that are read are indexes of a `Boc`. Immutable but for `settled`.
 * Hashes and depths are computed when first asked for, by the rules of boc/cell-hashes.ts.
 */
export class Cell {
  readonly bitLength: number;
  /** Whole bytes; the unused low bits of the last one are 0. */
  readonly data: Uint8Array;
  readonly refs: readonly Cell[];
  /** ORDINARY | PRUNED | LIBRARY | MERKLE_PROOF | MERKLE_UPDATE; an exotic cell's data begins with it. */
  readonly type: number;
  readonly levelMask: number;
  /** True if the cell is in a state that a block has already ended with: a state update may prune it. */
  settled = false;
  /** Scratch of writeBag: the bag that was written last with this cell in it, and the cell's place there. */
  bag = 0;
  place = 0;
  private hashes: Uint8Array | null = null;
  /** By level, like `hashes`. A level-0 cell has its depth only in `lowest`. */
  private depths: number[] | null = null;
  private lowest = 0;
  private text: string | null = null;

  constructor(bitLength: number, data: Uint8Array, refs: readonly Cell[], type: number = ORDINARY) {
    this.bitLength = bitLength;
    this.data = data;
    this.refs = refs;
    this.type = type;
    this.levelMask = getLevelMask(type, data, refs);
  }

  /** Hash at a level, 32 bytes that must not be changed; the default is the representation hash. */
  hash(level: number = MAX_LEVEL): Uint8Array {
    if (this.levelMask === 0) return this.computed();
    const h = this.hashIndex(level);
    if (h < this.storedHashes()) return this.data.subarray(2 + h * HASH, 2 + (h + 1) * HASH);
    const at = (h - this.storedHashes()) * HASH;
    return this.computed().subarray(at, at + HASH);
  }

  /** Depth at a level: references on the longest path down. A pruned branch counts as the cell it replaces. */
  depth(level: number = MAX_LEVEL): number {
    const h = this.hashIndex(level);
    const stored = this.storedHashes();
    if (h < stored) {
      const at = 2 + stored * HASH + 2 * h;
      return (this.data[at]! << 8) | this.data[at + 1]!;
    }
    this.computed();
    return this.depths === null ? this.lowest : this.depths[h - stored]!;
  }

  /** The level-0 hash as a text of 32 characters: a key for maps and sets. */
  get key(): string {
    this.text ??= Buffer.from(this.hash(0)).toString('latin1');
    return this.text;
  }

  private hashIndex(level: number): number {
    return LEVELS_IN[this.levelMask & ((1 << level) - 1)]!;
  }

  /** Number of hashes in the data of a pruned branch: all but the highest. */
  private storedHashes(): number {
    return this.type === PRUNED ? LEVELS_IN[this.levelMask]! : 0;
  }

  private computed(): Uint8Array {
    if (this.hashes === null) {
      // The children first: they use the same scratch memory.
      for (const ref of this.refs) ref.computed();
      this.hashes = this.levelMask === 0 && this.type === ORDINARY ? this.computeLowest() : this.compute();
    }
    return this.hashes;
  }

  /** As `compute`, for most cells: ordinary, with nothing pruned below. */
  private computeLowest(): Uint8Array {
    const { data, refs } = this;
    scratch[0] = refs.length;
    scratch[1] = bitsDescriptor(this.bitLength);
    scratch.set(data, 2);
    addCompletionTag(scratch, 2, this.bitLength);
    let end = 2 + data.length;
    for (const { lowest } of refs) {
      if (lowest >= this.lowest) this.lowest = lowest + 1;
      scratch[end++] = lowest >> 8;
      scratch[end++] = lowest & 0xff;
    }
    for (const ref of refs) {
      scratch.set(ref.hashes!, end);
      end += HASH;
    }
    const hash = new Uint8Array(HASH);
    sha256Into(beginnings[end]!, hash, 0);
    return hash;
  }

  private compute(): Uint8Array {
    const { levelMask: mask, type, refs } = this;
    const count = type === PRUNED ? 1 : LEVELS_IN[mask]! + 1;
    const hashes = new Uint8Array(count * HASH);
    const depths: number[] = [];
    const raise = type === MERKLE_PROOF || type === MERKLE_UPDATE ? 1 : 0;
    const d1 = refs.length | (type === ORDINARY ? 0 : 8);
    let h = 0;
    for (let level = type === PRUNED ? MAX_LEVEL : 0; level <= MAX_LEVEL && h < count; level++) {
      if (level > 0 && type !== PRUNED && (mask & (1 << (level - 1))) === 0) continue;
      scratch[0] = d1 | ((mask & ((1 << level) - 1)) << 5);
      scratch[1] = bitsDescriptor(this.bitLength);
      let end = 2;
      if (h === 0) {
        scratch.set(this.data, 2);
        addCompletionTag(scratch, 2, this.bitLength);
        end += this.data.length;
      } else {
        // A hash above the lowest has the hash below it in place of the data.
        scratch.set(hashes.subarray((h - 1) * HASH, h * HASH), end);
        end += HASH;
      }
      end = this.addRefs(level + raise, end, depths);
      sha256Into(beginnings[end]!, hashes, h * HASH);
      h++;
    }
    this.depths = depths;
    this.lowest = depths[0]!;
    return hashes;
  }

  /** Appends the children's depths and hashes; notes this cell's depth in `depths`. Returns the new end. */
  private addRefs(level: number, at: number, depths: number[]): number {
    let end = at;
    let deepest = 0;
    for (const ref of this.refs) {
      const depth = ref.depth(level);
      if (depth >= deepest) deepest = depth + 1;
      scratch[end++] = depth >> 8;
      scratch[end++] = depth & 0xff;
    }
    for (const ref of this.refs) {
      scratch.set(ref.hash(level), end);
      end += HASH;
    }
    depths.push(deepest);
    return end;
  }
}

function getLevelMask(type: number, data: Uint8Array, refs: readonly Cell[]): number {
  if (type === PRUNED) return data[1]!;
  let below = 0;
  for (const ref of refs) below |= ref.levelMask;
  return type === MERKLE_PROOF || type === MERKLE_UPDATE ? below >> 1 : below;
}
