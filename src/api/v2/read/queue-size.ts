import { CellError } from '../../../ton/boc/cell-error.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { openBlock } from '../../../ton/decode/open-block.ts';
import { loadShardState } from '../../../ton/tlb/block/shard-state.ts';
import { loadMerkleUpdate } from '../../../ton/tlb/merkle-update.ts';
import { outMsgQueueSize } from '../../../ton/tlb/message/out-msg-queue-info.ts';

/** Messages in the outgoing queue after a block, from its state update; null if the update omits it. */
export function queueSizeAfter(bytes: Uint8Array): bigint | null {
  const { boc, block } = openBlock(bytes);
  const update = loadMerkleUpdate(new CellSlice(boc, -1).resetAny(block.stateUpdate));
  try {
    const [state] = loadShardState(boc, update.new);
    return state ? outMsgQueueSize(boc, state.outMsgQueueInfo) : null;
  } catch (error) {
    // Some private networks write states of another form; their blocks are read otherwise.
    if (error instanceof CellError) return null;
    throw error;
  }
}
