import { bytes32, enter, expectTag, leave } from '../bags/cursor';

/** update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X; from a cell of its own. */
export function hashUpdate(cell: i32, oldHash: usize, newHash: usize): void {
  enter(cell);
  expectTag(8, 0x72, 'HASH_UPDATE');
  bytes32(oldHash);
  bytes32(newHash);
  leave('HASH_UPDATE');
}
