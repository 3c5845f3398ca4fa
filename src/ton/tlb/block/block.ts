import type { CellSlice } from '../../boc/cell-slice.ts';
import { expectTag } from '../tag.ts';

/** The parts of a block as cell indexes. */
export interface Block {
  readonly globalId: number;
  readonly info: number;
  readonly valueFlow: number;
  readonly stateUpdate: number;
  readonly extra: number;
}

/** Root tag of a block of another chain of the family (Tycho), which differs inside. */
export const FOREIGN_BLOCK_TAG = 0x11ef55bb;

// block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow
//   state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
export function loadBlock(slice: CellSlice): Block {
  expectTag(slice, 32, 0x11ef55aa, 'Block');
  return {
    globalId: slice.int(32),
    info: slice.ref(),
    valueFlow: slice.ref(),
    stateUpdate: slice.ref(),
    extra: slice.ref(),
  };
}
