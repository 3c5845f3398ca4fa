import { cellType, MERKLE_UPDATE } from './bag';
import { bad, bytes32, end, keep, openAny, ref, restore, skipBits } from './cursor';

/** Cells of the two sides; their hashes are meant at level 0. */
export let oldSide: i32 = 0;
export let newSide: i32 = 0;

/**
 *     !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16
 *       old:^X new:^X = MERKLE_UPDATE X;
 */
export function readMerkleUpdate(cell: i32, oldHash: usize, newHash: usize): void {
  keep();
  openAny(cell);
  if (cellType(cell) != MERKLE_UPDATE) bad('exotic: MERKLE_UPDATE expected', MERKLE_UPDATE, cellType(cell));
  skipBits(8);
  bytes32(oldHash);
  bytes32(newHash);
  skipBits(16 + 16);
  oldSide = ref();
  newSide = ref();
  end('MERKLE_UPDATE');
  restore();
}
