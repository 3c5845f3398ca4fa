import type { CellSlice } from '../../boc/cell-slice.ts';

export interface SplitMergeInfo {
  readonly curShardPfxLen: number;
  readonly accSplitDepth: number;
  readonly thisAddr: Uint8Array;
  readonly siblingAddr: Uint8Array;
}

// split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6)
//   this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo;
export function loadSplitMergeInfo(slice: CellSlice): SplitMergeInfo {
  return {
    curShardPfxLen: slice.uint(6),
    accSplitDepth: slice.uint(6),
    thisAddr: slice.bytes(32),
    siblingAddr: slice.bytes(32),
  };
}
