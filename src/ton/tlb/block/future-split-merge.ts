import type { CellSlice } from '../../boc/cell-slice.ts';

export type FutureSplitMerge =
  | { readonly kind: 'none' }
  | { readonly kind: 'split' | 'merge'; readonly utime: number; readonly interval: number };

// fsm_none$0 = FutureSplitMerge;
// fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
// fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
export function loadFutureSplitMerge(slice: CellSlice): FutureSplitMerge {
  if (!slice.bit()) return { kind: 'none' };
  const kind = slice.bit() ? 'merge' : 'split';
  return { kind, utime: slice.uint(32), interval: slice.uint(32) };
}
