import { BocError } from './boc-error.ts';
import type { CellHashes } from './cell-hashes.ts';
import { MERKLE_PROOF, MERKLE_UPDATE } from './cell-type.ts';

/**
 * Checks that every Merkle proof and Merkle update in the bag states the level-0 hash and depth of its child:
 *
 *     !merkle_proof#03 {X:Type} virtual_hash:bits256 depth:uint16 virtual_root:^X = MERKLE_PROOF X;
 *     !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16
 *       old:^X new:^X = MERKLE_UPDATE X;
 *
 * It hashes everything below these cells, so `parseBoc` leaves the check to callers that need the proof.
 *
 * @throws BocError merkle, depth
 */
export function checkExotics(hashes: CellHashes): void {
  const { boc } = hashes;
  for (let cell = boc.cellCount - 1; cell >= 0; cell--) {
    const type = boc.type[cell];
    if (type === MERKLE_PROOF) checkChild(hashes, cell, 0, 1);
    if (type === MERKLE_UPDATE) {
      checkChild(hashes, cell, 0, 2);
      checkChild(hashes, cell, 1, 2);
    }
  }
}

/** The hashes of all children come before their depths. */
function checkChild(hashes: CellHashes, cell: number, child: number, children: number): void {
  const { boc } = hashes;
  const { bytes } = boc;
  const start = boc.dataStart[cell]! + 1;
  const ref = boc.refs[cell * 4 + child]!;
  const hashAt = start + child * 32;
  const stored = bytes.subarray(hashAt, hashAt + 32).toHex();
  const computed = hashes.hash(ref, 0).toHex();
  if (stored !== computed) {
    throw new BocError('merkle', { offset: hashAt, cell, expected: computed, found: stored });
  }
  const depthAt = start + children * 32 + child * 2;
  const found = (bytes[depthAt]! << 8) | bytes[depthAt + 1]!;
  const expected = hashes.depth(ref, 0);
  if (found !== expected) throw new BocError('merkle', { offset: depthAt, cell, expected, found });
}
