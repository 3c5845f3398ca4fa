import type { TlValue } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { nextMaybeRef } from '../../ton/cell/to-slice.ts';
import { readShardHashes } from '../../ton/decode/block-header.ts';
import { visitState } from '../../ton/proofs/visit-state.ts';
import { visitLeaves } from '../../ton/proofs/visit-transactions.ts';
import { Visits } from '../../ton/proofs/visits.ts';
import { shardsTouch } from '../../ton/tlb/shard-ident.ts';
import { expectTag } from '../../ton/tlb/tag.ts';
import type { LiteContext } from '../lite-context.ts';
import { unsupported } from '../lite-refusals.ts';
import { findBlock, needHead, needState, type StatedId, statedBlock, stateProof } from '../located.ts';
import { toBag } from '../proof-bags.ts';
import { toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

/** Limit of the reference node for messages that wait in a shard. */
const EXT_MSG_QUEUE_LIMIT = 8_192;

/** Sizes of the queues of outgoing and dispatched messages. */
export const QUEUE_ANSWERS: Answers<
  'getOutMsgQueueSizes' | 'getBlockOutMsgQueueSize' | 'getDispatchQueueInfo' | 'getDispatchQueueMessages'
> = {
  async getOutMsgQueueSizes(context, { wc, shard }) {
    const all = await newestStates(context);
    const shards = all
      .filter(
        ({ id }) =>
          wc === undefined || (id.workchain === wc && shardsTouch(id.shard, BigInt.asUintN(64, shard!))),
      )
      .map(({ id, state }) => ({ id: toTl(id), size: readQueue(new Visits(), state).size }));
    return { shards, ext_msg_queue_size_limit: EXT_MSG_QUEUE_LIMIT };
  },
  async getBlockOutMsgQueueSize(context, { mode, id, want_proof }) {
    const stated = await needState(context, id);
    const { header, proof, result } = stateProof(stated, (visits) => readQueue(visits, stated.state));
    return {
      mode,
      id,
      size: BigInt(result.size),
      ...(want_proof && { proof: toBag([header, proof]) }),
    };
  },
  async getDispatchQueueInfo(context, { mode, id, want_proof }) {
    return {
      mode: mode & 1,
      id,
      account_dispatch_queues: [],
      complete: true,
      ...(await emptyDispatchQueue(context, id, want_proof)),
    };
  },
  async getDispatchQueueMessages(context, { mode, id, want_proof, messages_boc }) {
    return {
      mode: mode & 7,
      id,
      messages: [],
      complete: true,
      ...(await emptyDispatchQueue(context, id, want_proof)),
      ...(messages_boc && { messages_boc: new Uint8Array() }),
    };
  },
};

/** @throws LiteServerError the queue is not empty: such states are not answered from */
async function emptyDispatchQueue(
  context: LiteContext,
  id: TlValue<'blockIdExt'>,
  wantProof: boolean | undefined,
): Promise<{ readonly proof?: Uint8Array }> {
  const stated = await needState(context, id);
  const { header, proof, result } = stateProof(stated, (visits) => readQueue(visits, stated.state));
  if (result.hasDispatched) throw unsupported('this server does not list dispatch queues');
  return wantProof ? { proof: toBag([header, proof]) } : {};
}

// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
// out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;
function readQueue(visits: Visits, state: Cell): { readonly size: number; readonly hasDispatched: boolean } {
  const slice = visits.open(visitState(visits, state).outMsgQueueInfo);
  const queue = nextMaybeRef(slice);
  slice.u64();
  slice.maybeRef();
  if (slice.bit()) {
    expectTag(slice, 4, 0, 'OutMsgQueueExtra');
    const hasDispatched = slice.maybeRef() >= 0;
    slice.u64();
    if (slice.bit()) return { size: Number(slice.bigUint(48)), hasDispatched };
  }
  // States of before the network counted the messages.
  return { size: queue ? [...visitLeaves(visits, visits.open(queue), 352)].length : 0, hasDispatched: false };
}

/** The states of the newest masterchain block and of the shards that it names. */
async function newestStates(context: LiteContext): Promise<StatedId[]> {
  const head = await needHead(context);
  const states = [statedBlock(context, head)];
  for (const id of readShardHashes(head.boc))
    states.push(
      id.seqno === 0
        ? await needState(context, toTl(id))
        : statedBlock(context, await findBlock(context, id)),
    );
  return states;
}
