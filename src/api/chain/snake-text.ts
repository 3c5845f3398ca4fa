import { copyBits } from '../../ton/boc/bits.ts';
import type { Boc } from '../../ton/boc/boc.ts';
import { ORDINARY } from '../../ton/boc/cell-type.ts';

/**
 * The bytes of a snake string: the bits of a cell from `skip` on, then those of its first reference, and so on. A cell
 * may end inside a byte, the whole may not.
 * @returns null where an exotic cell is met, the root is shorter than `skip`, or the bits are no whole bytes
 */
export function readSnake(boc: Boc, root: number, skip: number): Uint8Array | null {
  const cells: number[] = [];
  let bits = -skip;
  for (let cell = root; ; cell = boc.refs[cell * 4]!) {
    if (boc.type[cell] !== ORDINARY) return null;
    cells.push(cell);
    bits += boc.bitLength[cell]!;
    if (boc.refCount[cell] === 0) break;
  }
  if (boc.bitLength[root]! < skip || bits % 8 !== 0) return null;
  const out = new Uint8Array(bits >> 3);
  let at = 0;
  for (const cell of cells) {
    const from = cell === root ? skip : 0;
    at += appendBits(boc, cell, from, boc.bitLength[cell]! - from, out, at);
  }
  return out;
}

/** Adds `count` bits of a cell, from bit `from` on, at bit `at` of `out`; the bits there are still zero. */
function appendBits(
  boc: Boc,
  cell: number,
  from: number,
  count: number,
  out: Uint8Array,
  at: number,
): number {
  if (count === 0) return 0;
  const shift = at & 7;
  if (shift === 0) {
    copyBits(boc.bytes, boc.dataStart[cell]!, from, count, out, at >> 3);
    return count;
  }
  const part = new Uint8Array((count + 7) >> 3);
  copyBits(boc.bytes, boc.dataStart[cell]!, from, count, part, 0);
  for (let i = 0; i < part.length; i++) {
    const to = (at >> 3) + i;
    out[to] = out[to]! | (part[i]! >> shift);
    // The last byte's low bits are zero and may lie beyond the end.
    if (to + 1 < out.length) out[to + 1] = (part[i]! << (8 - shift)) & 0xff;
  }
  return count;
}
