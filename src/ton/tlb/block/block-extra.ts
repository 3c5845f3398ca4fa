import type { CellSlice } from '../../boc/cell-slice.ts';
import { expectTag } from '../tag.ts';

/** The dictionaries as cell indexes; `custom` is -1 outside the masterchain. */
export interface BlockExtra {
  readonly inMsgDescr: number;
  readonly outMsgDescr: number;
  readonly accountBlocks: number;
  readonly randSeed: Uint8Array;
  readonly createdBy: Uint8Array;
  readonly custom: number;
}

// block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks
//   rand_seed:bits256 created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;
export function loadBlockExtra(slice: CellSlice): BlockExtra {
  expectTag(slice, 32, 0x4a33f6fd, 'BlockExtra');
  return {
    inMsgDescr: slice.ref(),
    outMsgDescr: slice.ref(),
    accountBlocks: slice.ref(),
    randSeed: slice.bytes(32),
    createdBy: slice.bytes(32),
    custom: slice.maybeRef(),
  };
}
