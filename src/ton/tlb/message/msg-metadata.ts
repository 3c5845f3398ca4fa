import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMsgAddressInt, type MsgAddressInt } from '../msg-address.ts';
import { expectTag } from '../tag.ts';

export interface MsgMetadata {
  readonly depth: number;
  readonly initiatorAddr: MsgAddressInt;
  readonly initiatorLt: bigint;
}

// msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata;
export function loadMsgMetadata(slice: CellSlice): MsgMetadata {
  expectTag(slice, 4, 0, 'MsgMetadata');
  return { depth: slice.uint(32), initiatorAddr: loadMsgAddressInt(slice), initiatorLt: slice.u64() };
}
