import { type BitRange, cellBits, copyBits } from '../boc/bits.ts';
import type { Boc } from '../boc/boc.ts';
import { ORDINARY } from '../boc/cell-type.ts';

/**
 * Counts the bits of a snake string: the bits of a cell from bit `skip` on, then of its first reference, and so on. A
 * cell may end inside a byte; the whole string may not.
 * @param skipRefs references of the root before the string's
 * @returns null for an exotic cell, a root shorter than `skip`, or bits that are not whole bytes
 */
export function snakeBits(boc: Boc, root: number, skip: number, skipRefs = 0): number | null {
  let bits = -skip;
  for (let cell = root, ref = skipRefs; ; cell = boc.refs[cell * 4 + ref]!, ref = 0) {
    if (boc.type[cell] !== ORDINARY) return null;
    bits += boc.bitLength[cell]!;
    if (boc.refCount[cell]! <= ref) break;
  }
  return boc.bitLength[root]! < skip || bits % 8 !== 0 ? null : bits;
}

/** The bytes of a snake string; null where `snakeBits` gives none. */
export function readSnake(boc: Boc, root: number, skip: number, skipRefs = 0): Uint8Array | null {
  const bits = snakeBits(boc, root, skip, skipRefs);
  if (bits === null) return null;
  const out = new Uint8Array(bits >> 3);
  let at = 0;
  for (let cell = root, ref = skipRefs; ; cell = boc.refs[cell * 4 + ref]!, ref = 0) {
    const range = cellBits(boc, cell, cell === root ? skip : 0);
    appendBits(range, out, at);
    at += range.count;
    if (boc.refCount[cell]! <= ref) return out;
  }
}

/** Adds bits at bit `at` of `out`; the bits there are still zero. */
function appendBits(range: BitRange, out: Uint8Array, at: number): void {
  if (range.count === 0) return;
  const shift = at & 7;
  if (shift === 0) {
    copyBits(range, out, at >> 3);
    return;
  }
  const part = new Uint8Array((range.count + 7) >> 3);
  copyBits(range, part, 0);
  for (let i = 0; i < part.length; i++) {
    const to = (at >> 3) + i;
    out[to] = out[to]! | (part[i]! >> shift);
    // The last byte's low bits are zero and may lie beyond the end.
    if (to + 1 < out.length) out[to + 1] = (part[i]! << (8 - shift)) & 0xff;
  }
}
