import { sha256Into } from '../hash/sha256.ts';
import { addCompletionTag, bitsDescriptor, copyBits } from './bits.ts';
import type { Boc } from './boc.ts';
import { MAX_DEPTH } from './boc.ts';
import { BocError } from './boc-error.ts';
import type { CellSlice } from './cell-slice.ts';
import { MERKLE_PROOF, ORDINARY, PRUNED } from './cell-type.ts';
import { LEVELS_IN, MAX_LEVEL } from './level-mask.ts';

const HASH = 32;
/** Two descriptors, at most 128 bytes of data, four depths and hashes. */
const MAX_REPRESENTATION = 2 + 128 + 4 * (2 + HASH);

/** A cell that is not pruned, or the rest of a cell, as input of its hash. */
interface HashedCell {
  readonly cell: number;
  /** The first reference that counts. */
  readonly firstRef: number;
  /** The first descriptor without the level mask: reference count and exotic bit. */
  readonly d1: number;
  readonly bits: number;
  readonly mask: number;
  /** Levels by which the children are taken higher: 1 below a Merkle cell. */
  readonly raise: number;
  /** Slot of the lowest hash. */
  readonly slot: number;
}

/**
 * Hashes and depths of the cells of one bag, computed once on first use. Hash h of a cell is at slot `firstSlot[cell] +
 * h`; level-mask.ts maps levels to h. Source: `CellChecker`/`DataCell` of the reference node; TVM whitepaper 3.1.4 to
 * 3.1.6 with its correction for higher levels. A hash above the lowest takes the hash below it as data, but keeps the
 * second descriptor of the true data.
 *
 * Not safe to share between threads; one object serves any number of reads of one bag.
 */
export class CellHashes {
  readonly boc: Boc;
  private readonly firstSlot: Uint32Array;
  private readonly hashes: Uint8Array;
  private readonly depths: Uint16Array;
  private readonly known: Uint8Array;
  /** Slot for the hashes of a cell outside the bag, after the slots of the bag. */
  private readonly restSlot: number;
  private readonly scratch = new Uint8Array(MAX_REPRESENTATION);
  private readonly path: number[] = [];

  constructor(boc: Boc) {
    const { cellCount, levelMask } = boc;
    this.boc = boc;
    this.firstSlot = new Uint32Array(cellCount);
    let slots = 0;
    for (let cell = 0; cell < cellCount; cell++) {
      this.firstSlot[cell] = slots;
      slots += LEVELS_IN[levelMask[cell]!]! + 1;
    }
    this.restSlot = slots;
    this.hashes = new Uint8Array((slots + MAX_LEVEL + 1) * HASH);
    this.depths = new Uint16Array(slots + MAX_LEVEL + 1);
    this.known = new Uint8Array(cellCount);
  }

  /**
   * Returns the cell's hash at a level, 32 new bytes. The default is the representation hash. Use level 0 for cells
   * under a Merkle update: a pruned branch then has the hash of the cell that it replaces.
   * @throws BocError depth
   */
  hash(cell: number, level: number = MAX_LEVEL): Uint8Array {
    const from = this.slot(cell, level) * HASH;
    return this.hashes.slice(from, from + HASH);
  }

  /** As `hash`, written to `target` at `at`. */
  hashInto(cell: number, level: number, target: Uint8Array, at: number): void {
    const from = this.slot(cell, level) * HASH;
    const { hashes } = this;
    for (let i = 0; i < HASH; i++) target[at + i] = hashes[from + i]!;
  }

  /** The cell's depth at a level: references on the longest path down, pruned branches counted as what they hide. */
  depth(cell: number, level: number = MAX_LEVEL): number {
    return this.depths[this.slot(cell, level)]!;
  }

  /** Computes every cell of the bag in one backward sweep: cheaper than asking when all are needed. */
  computeAll(): void {
    for (let cell = this.boc.cellCount - 1; cell >= 0; cell--) if (!this.known[cell]) this.compute(cell);
  }

  /**
   * The representation hash of what is left of a slice, as an ordinary cell of its own. The slice is not moved.
   * @throws BocError depth
   */
  hashOfRest(slice: CellSlice): Uint8Array {
    const { boc, scratch, restSlot } = this;
    const { cell, refPosition, refsLeft, bitsLeft } = slice;
    let mask = 0;
    for (let at = cell * 4 + refPosition, end = at + refsLeft; at < end; at++) {
      const child = boc.refs[at]!;
      if (!this.known[child]) this.computeTree(child);
      mask |= boc.levelMask[child]!;
    }
    copyBits(slice.rest, scratch, 2);
    addCompletionTag(scratch, 2, bitsLeft);
    this.finish({
      cell,
      firstRef: refPosition,
      d1: refsLeft,
      bits: bitsLeft,
      mask,
      raise: 0,
      slot: restSlot,
    });
    const from = (restSlot + LEVELS_IN[mask]!) * HASH;
    return this.hashes.slice(from, from + HASH);
  }

  private slot(cell: number, level: number): number {
    if (!(cell >= 0 && cell < this.boc.cellCount)) {
      throw new RangeError(`cell ${cell} is not in a bag of ${this.boc.cellCount} cells`);
    }
    if (!this.known[cell]) this.computeTree(cell);
    return this.firstSlot[cell]! + this.slotAt(this.boc.levelMask[cell]!, level);
  }

  private slotAt(mask: number, level: number): number {
    return LEVELS_IN[mask & ((1 << level) - 1)]!;
  }

  /** Depth-first with a path of its own: the depth of the input must not reach the stack of the machine. */
  private computeTree(root: number): void {
    const { known, path } = this;
    const { refs, refCount } = this.boc;
    path.length = 0;
    path.push(root);
    while (path.length > 0) {
      const cell = path[path.length - 1]!;
      let unknown = -1;
      for (let at = cell * 4, end = at + refCount[cell]!; at < end; at++) {
        if (!known[refs[at]!]) {
          unknown = refs[at]!;
          break;
        }
      }
      if (unknown >= 0) {
        path.push(unknown);
      } else {
        this.compute(cell);
        path.pop();
      }
    }
  }

  /** All hashes of a cell whose children are known. */
  private compute(cell: number): void {
    const { boc } = this;
    const type = boc.type[cell]!;
    const mask = boc.levelMask[cell]!;
    const first = this.firstSlot[cell]!;
    const start = boc.dataStart[cell]!;
    if (type === PRUNED) {
      this.computePruned(cell, mask, first, start);
    } else {
      const bits = boc.bitLength[cell]!;
      const { scratch } = this;
      const size = (bits + 7) >> 3;
      for (let i = 0; i < size; i++) scratch[2 + i] = boc.bytes[start + i]!;
      const d1 = boc.refCount[cell]! | (type === ORDINARY ? 0 : 8);
      const raise = type >= MERKLE_PROOF ? 1 : 0;
      this.finish({ cell, firstRef: 0, d1, bits, mask, raise, slot: first });
    }
    this.known[cell] = 1;
  }

  /** The lower hashes of a pruned branch are in its data; only the highest is computed. */
  private computePruned(cell: number, mask: number, first: number, start: number): void {
    const { bytes } = this.boc;
    const { hashes, depths, scratch } = this;
    const stored = LEVELS_IN[mask]!;
    const hashesStart = start + 2;
    const depthsStart = hashesStart + stored * HASH;
    for (let i = 0; i < stored * HASH; i++) hashes[first * HASH + i] = bytes[hashesStart + i]!;
    for (let h = 0; h < stored; h++) {
      depths[first + h] = (bytes[depthsStart + 2 * h]! << 8) | bytes[depthsStart + 2 * h + 1]!;
    }
    const bits = this.boc.bitLength[cell]!;
    const size = bits >> 3;
    scratch[0] = 8 | (mask << 5);
    scratch[1] = bitsDescriptor(bits);
    for (let i = 0; i < size; i++) scratch[2 + i] = bytes[start + i]!;
    depths[first + stored] = 0;
    sha256Into(scratch.subarray(0, 2 + size), hashes, (first + stored) * HASH);
  }

  /** One hash per significant level, lowest first, into the cell's slots. The data of the lowest is already in `scratch`. */
  private finish(hashed: HashedCell): void {
    const { d1, bits, mask, raise, slot: first } = hashed;
    const { scratch, hashes } = this;
    scratch[1] = bitsDescriptor(bits);
    let h = 0;
    let dataEnd = 2 + ((bits + 7) >> 3);
    for (let level = 0; level <= MAX_LEVEL; level++) {
      if (level > 0 && (mask & (1 << (level - 1))) === 0) continue;
      scratch[0] = d1 | ((mask & ((1 << level) - 1)) << 5);
      if (h > 0) {
        const below = (first + h - 1) * HASH;
        for (let i = 0; i < HASH; i++) scratch[2 + i] = hashes[below + i]!;
        dataEnd = 2 + HASH;
      }
      const size = this.addChildren(hashed, level + raise, first + h, dataEnd);
      sha256Into(scratch.subarray(0, size), hashes, (first + h) * HASH);
      h++;
      if (mask >> level === 0) break;
    }
  }

  /** Appends the children's depths and hashes at a level; sets the depth of slot `slot`. Returns the new end. */
  private addChildren({ cell, firstRef }: HashedCell, level: number, slot: number, at: number): number {
    const { scratch, hashes, depths, firstSlot } = this;
    const { refs, refCount, levelMask } = this.boc;
    const from = cell * 4 + firstRef;
    const to = cell * 4 + refCount[cell]!;
    let p = at;
    let deepest = 0;
    for (let r = from; r < to; r++) {
      const child = refs[r]!;
      const depth = depths[firstSlot[child]! + this.slotAt(levelMask[child]!, level)]!;
      if (depth >= deepest) deepest = depth + 1;
      scratch[p++] = depth >> 8;
      scratch[p++] = depth & 0xff;
    }
    for (let r = from; r < to; r++) {
      const child = refs[r]!;
      const hash = (firstSlot[child]! + this.slotAt(levelMask[child]!, level)) * HASH;
      for (let i = 0; i < HASH; i++) scratch[p++] = hashes[hash + i]!;
    }
    // A pruned branch may state any depth up to 65,535. The cells above it may not exceed the network's limit.
    if (deepest > MAX_DEPTH) {
      const offset = this.boc.dataStart[cell]!;
      throw new BocError('depth', { offset, cell, expected: `at most ${MAX_DEPTH}`, found: deepest });
    }
    depths[slot] = deepest;
    return p;
  }
}
