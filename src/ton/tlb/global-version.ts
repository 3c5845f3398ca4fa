import type { CellSlice } from '../boc/cell-slice.ts';
import { expectTag } from './tag.ts';

export interface GlobalVersion {
  readonly version: number;
  readonly capabilities: bigint;
}

// capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
export function loadGlobalVersion(slice: CellSlice): GlobalVersion {
  expectTag(slice, 8, 0xc4, 'GlobalVersion');
  return { version: slice.uint(32), capabilities: slice.u64() };
}
