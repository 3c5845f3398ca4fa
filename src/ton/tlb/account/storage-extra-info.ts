import type { CellSlice } from '../../boc/cell-slice.ts';
import { unknownTag } from '../tag.ts';

// storage_extra_none$000 = StorageExtraInfo;
// storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
//
// Before global version 11 the same place held `public_cells:(VarUInteger 7)`, whose three length bits coincide with
// the first tag when the number is 0. It was 0 in every account known, so a length other than 0 is refused here.
export function loadStorageExtraInfo(slice: CellSlice): Uint8Array | null {
  const tag = slice.uint(3);
  if (tag === 0b000) return null;
  if (tag === 0b001) return slice.bytes(32);
  throw unknownTag(slice, 'StorageExtraInfo', tag);
}
