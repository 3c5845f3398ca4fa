import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMaybe } from '../maybe.ts';
import { unknownTag } from '../tag.ts';
import { type IntermediateAddress, loadIntermediateAddress } from './intermediate-address.ts';
import { loadMsgMetadata, type MsgMetadata } from './msg-metadata.ts';

export interface MsgEnvelope {
  readonly version: 1 | 2;
  readonly curAddr: IntermediateAddress;
  readonly nextAddr: IntermediateAddress;
  readonly fwdFeeRemaining: bigint;
  /** Cell of the message. */
  readonly msg: number;
  readonly emittedLt: bigint | null;
  readonly metadata: MsgMetadata | null;
}

// msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) = MsgEnvelope;
// msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
export function loadMsgEnvelope(slice: CellSlice): MsgEnvelope {
  const tag = slice.uint(4);
  if (tag !== 4 && tag !== 5) throw unknownTag(slice, 'MsgEnvelope', tag);
  const curAddr = loadIntermediateAddress(slice);
  const nextAddr = loadIntermediateAddress(slice);
  const fwdFeeRemaining = slice.coins();
  const msg = slice.ref();
  if (tag === 4) {
    return { version: 1, curAddr, nextAddr, fwdFeeRemaining, msg, emittedLt: null, metadata: null };
  }
  const emittedLt = slice.bit() ? slice.u64() : null;
  const metadata = loadMaybe(slice, loadMsgMetadata);
  return { version: 2, curAddr, nextAddr, fwdFeeRemaining, msg, emittedLt, metadata };
}
