import type { Boc } from './boc.ts';
import { CellError } from './cell-error.ts';
import { CellSlice } from './cell-slice.ts';
import { PRUNED } from './cell-type.ts';
import { checkLabel } from './load-label.ts';

/** Takes a leaf: its key, and a slice at its value. */
export type VisitLeaf = (key: Uint8Array, value: CellSlice) => void;

/** A walk over a dictionary. */
export interface LeafOptions {
  readonly keyBits: number;
  /** Passes over pruned edges instead of throwing: dictionaries in proofs and state updates. Default false. */
  readonly skipPruned?: boolean;
  /**
   * Data at a fork after its two references. `ignore` (default) suits HashmapAug, whose forks hold an extra;
   * `refuse` is strict for a plain Hashmap.
   */
  readonly forkExtra?: 'ignore' | 'refuse';
  /**
   * Edges to walk before giving up with `CellError('value')`; default 16,777,216. References may meet in one cell, so a
   * bag of a few hundred cells can spell out more leaves than any computer could visit.
   */
  readonly maxEdges?: number;
}

const DEFAULT_MAX_EDGES = 1 << 24;

/** Sets bit `at` of a key that may hold an older one. */
function setBit(key: Uint8Array, at: number, bit: boolean): void {
  const mask = 0x80 >> (at & 7);
  const old = key[at >> 3]!;
  key[at >> 3] = bit ? old | mask : old & ~mask;
}

/**
 * Reads an edge's label into the key at bit `at`; `left` key bits are still open.
 *
 *     hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
 *     hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
 *     hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
 *
 * @returns the label's length in bits
 * @throws CellError value: a label longer than the key
 */
function readLabel(slice: CellSlice, key: Uint8Array, at: number, left: number): number {
  // `#<= m` takes as many bits as m itself.
  const width = 32 - Math.clz32(left);
  if (!slice.bit()) {
    let length = 0;
    while (slice.bit()) length++;
    return readLabelBits(slice, key, at, checkLabel(slice, length, left));
  }
  if (!slice.bit()) {
    return readLabelBits(slice, key, at, checkLabel(slice, slice.uint(width), left));
  }
  const bit = slice.bit();
  const length = checkLabel(slice, slice.uint(width), left);
  for (let i = 0; i < length; i++) setBit(key, at + i, bit);
  return length;
}

function readLabelBits(slice: CellSlice, key: Uint8Array, at: number, length: number): number {
  for (let done = 0; done < length; ) {
    const to = (at + done) >> 3;
    const room = 8 - ((at + done) & 7);
    const count = Math.min(room, length - done);
    const low = room - count;
    key[to] = (key[to]! & ~(((1 << count) - 1) << low)) | (slice.uint(count) << low);
    done += count;
  }
  return length;
}

/**
 * Visits the leaves of a `Hashmap n X` or `HashmapAug n X Y` in the order of their keys. `root` is the cell of the root
 * edge, without the `HashmapE` bit. The slice of a HashmapAug starts at the leaf's extra, then the value.
 *
 *     hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
 *     hmn_leaf#_ {X:Type} value:X = HashmapNode 0 X;
 *     hmn_fork#_ {n:#} {X:Type} left:^(Hashmap n X) right:^(Hashmap n X) = HashmapNode (n + 1) X;
 *
 * Key (padded with zero bits to whole bytes) and slice are reused for the next leaf: copy them with `slice()` and
 * `clone()` to keep them.
 *
 * @throws CellError exotic: a pruned edge (unless passed over) or another exotic cell; underflow, value: not a hashmap,
 * or
 *   more edges than allowed; what `visit` throws
 */
export function forEachLeaf(boc: Boc, root: number, keyBits: number, visit: VisitLeaf): void {
  walkLeaves(boc, root, { keyBits }, visit);
}

/** As `forEachLeaf`, with options. */
export function walkLeaves(boc: Boc, root: number, options: LeafOptions, visit: VisitLeaf): void {
  const { keyBits, skipPruned = false, forkExtra = 'ignore', maxEdges = DEFAULT_MAX_EDGES } = options;
  const key = new Uint8Array((keyBits + 7) >> 3);
  // Edges still to walk: a cell and how many key bits are above it. At most one waits for each fork above.
  const cells = [root];
  const positions = [0];
  const slice = new CellSlice(boc, -1);
  for (let edges = 0; cells.length > 0; edges++) {
    const cell = cells.pop()!;
    if (edges === maxEdges) {
      throw new CellError('value', { cell, bit: 0, what: 'Hashmap', expected: `at most ${maxEdges} edges` });
    }
    const above = positions.pop()!;
    const isRight = above < 0;
    const start = isRight ? -above : above;
    if (isRight) setBit(key, start - 1, true);
    if (skipPruned && boc.type[cell] === PRUNED) continue;
    slice.reset(cell);
    const at = start + readLabel(slice, key, start, keyBits - start);
    if (at === keyBits) {
      visit(key, slice);
      continue;
    }
    const left = slice.ref();
    const right = slice.ref();
    if (forkExtra === 'refuse') slice.end('HashmapNode fork');
    setBit(key, at, false);
    cells.push(right, left);
    positions.push(-(at + 1), at + 1);
  }
}
