/** Checks that every Merkle cell states the level-0 hash and depth of its children; mirrors boc/check-exotics.ts. */
import { cellCount, cellType, data, INPUT, MERKLE_PROOF, MERKLE_UPDATE, refAt } from './bag';
import { lowestDepthOf, lowestHashOf } from './hash-cells';
import { MERKLE, refuse, refuseHash, sameHash } from '../refuse';

/** Every cell must be hashed. */
export function checkExotics(): void {
  for (let cell = cellCount - 1; cell >= 0; cell--) {
    const type = cellType(cell);
    if (type == MERKLE_PROOF) checkChild(cell, 0, 1);
    if (type == MERKLE_UPDATE) {
      checkChild(cell, 0, 2);
      checkChild(cell, 1, 2);
    }
  }
}

/** The hashes of all children come before their depths. */
function checkChild(cell: i32, child: i32, children: i32): void {
  const start = data(cell) + 1;
  const ref = refAt(cell, child);
  const hash = start + <usize>(child * 32);
  const computed = lowestHashOf(ref);
  if (!sameHash(hash, computed))
    refuseHash(MERKLE, 'hash in a Merkle cell', cell, <i32>(hash - INPUT.start), computed, hash);
  const at = start + <usize>(children * 32 + child * 2);
  const found = <u32>bswap<u16>(load<u16>(at));
  const depth = lowestDepthOf(ref);
  if (found != depth) refuse(MERKLE, 'depth in a Merkle cell', cell, <i32>(at - INPUT.start), depth, found);
}
