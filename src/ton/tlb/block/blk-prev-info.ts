import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { type ExtBlkRef, loadExtBlkRef } from '../ext-blk-ref.ts';
import { loadWholeCell } from '../whole-cell.ts';

// prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
// prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
export function loadBlkPrevInfo(boc: Boc, cell: number, afterMerge: boolean): ExtBlkRef[] {
  if (!afterMerge) return [loadWholeCell(boc, cell, 'BlkPrevInfo', loadExtBlkRef)];
  const slice = new CellSlice(boc, cell);
  const prev = [slice.ref(), slice.ref()].map((ref) => loadWholeCell(boc, ref, 'ExtBlkRef', loadExtBlkRef));
  slice.end('BlkPrevInfo');
  return prev;
}
