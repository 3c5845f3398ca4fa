import type { CellSlice } from '../boc/cell-slice.ts';
import { expectTag } from './tag.ts';

/** State hashes before and after. */
export interface HashUpdate {
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

// update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
export function loadHashUpdate(slice: CellSlice): HashUpdate {
  expectTag(slice, 8, 0x72, 'HASH_UPDATE');
  return { oldHash: slice.bytes(32), newHash: slice.bytes(32) };
}
