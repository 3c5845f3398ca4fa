/** One backward sweep: level masks, what is whole, depth, shape of exotic cells; mirrors boc/resolve-cells.ts. */
import { Area } from '../area';
import {
  bitLength, cellCount, cellType, data, INPUT, levelMask, LIBRARY, MAX_DEPTH, MERKLE_PROOF, MERKLE_UPDATE, ORDINARY,
  PRUNED, isComplete, refCount, refsAt, setWhole,
} from './bag';
import { BOC, refuse } from '../refuse';

const HASH_AND_DEPTH_BITS: i32 = 256 + 16;
const DEPTHS = new Area();

function bad(what: string, cell: i32, expected: u64, found: u64): void {
  refuse(BOC, what, cell, <i32>(data(cell) - INPUT.start), expected, found);
}

function checkShape(what: string, cell: i32, bits: i32, refs: i32): void {
  if (bitLength(cell) != bits) bad(what, cell, bits, bitLength(cell));
  if (refCount(cell) != refs) bad(what, cell, refs, refCount(cell));
}

function exoticMask(cell: i32, below: u32): u32 {
  const type = cellType(cell);
  if (type == PRUNED) {
    const mask = bitLength(cell) < 16 ? 0 : <u32>load<u8>(data(cell), 1);
    if (mask < 1 || mask > 7) bad('exotic: a pruned branch with a mask of 1 to 7', cell, 7, mask);
    checkShape('exotic: pruned branch', cell, 16 + <i32>popcnt<u32>(mask) * HASH_AND_DEPTH_BITS, 0);
    return mask;
  }
  if (type == LIBRARY) {
    checkShape('exotic: library reference', cell, 8 + 256, 0);
    return 0;
  }
  if (type == MERKLE_PROOF) checkShape('exotic: Merkle proof', cell, 8 + HASH_AND_DEPTH_BITS, 1);
  else checkShape('exotic: Merkle update', cell, 8 + 2 * HASH_AND_DEPTH_BITS, 2);
  return below >> 1;
}

/** Gives how many hashes all cells have together. */
export function resolveCells(): i32 {
  const depths = DEPTHS.reserve((<usize>cellCount) << 1);
  let hashes = 0;
  for (let cell = cellCount - 1; cell >= 0; cell--) {
    let below: u32 = 0;
    let whole: u32 = 1;
    let deepest: u32 = 0;
    const refs = refsAt(cell);
    for (let k = 0, count = refCount(cell); k < count; k++) {
      const child = load<i32>(refs + ((<usize>k) << 2));
      below |= levelMask(child);
      whole &= <u32>isComplete(child);
      const depth = <u32>load<u16>(depths + ((<usize>child) << 1)) + 1;
      if (depth > deepest) deepest = depth;
    }
    if (deepest > MAX_DEPTH) bad('depth', cell, MAX_DEPTH, deepest);
    const type = cellType(cell);
    const mask = type == ORDINARY ? below : exoticMask(cell, below);
    if (mask != levelMask(cell)) bad('level', cell, mask, levelMask(cell));
    store<u16>(depths + ((<usize>cell) << 1), <u16>deepest);
    setWhole(cell, type == PRUNED ? 0 : whole);
    hashes += <i32>popcnt<u32>(mask) + 1;
  }
  return hashes;
}
