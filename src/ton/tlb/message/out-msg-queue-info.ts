import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { PRUNED } from '../../boc/cell-type.ts';
import { expectTag } from '../tag.ts';

/**
 * Messages in the outgoing queue of a state; null where the cell is pruned, or where the state, of before the network
 * counted them, has a queue without a size.
 */
// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;  _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;
// out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;
// _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;
export function outMsgQueueSize(boc: Boc, cell: number): bigint | null {
  if (boc.type[cell] === PRUNED) return null;
  const slice = new CellSlice(boc, cell);
  const isEmpty = slice.maybeRef() < 0;
  slice.u64();
  slice.maybeRef();
  if (slice.bit()) {
    expectTag(slice, 4, 0, 'OutMsgQueueExtra');
    slice.maybeRef();
    slice.u64();
    if (slice.bit()) return slice.bigUint(48);
  }
  return isEmpty ? 0n : null;
}
