import type { Cell } from '../../ton/cell/cell.ts';
import type { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import type { TrieForm } from '../../ton/cell/trie.ts';
import { addMoney, grams, type Money } from '../../ton/currencies/money.ts';
import { lowestLtExtra } from '../../ton/store/augmentations.ts';
import type { NewMetadata } from '../../ton/store/store-message-descr.ts';
import { loadMsgEnvelope } from '../../ton/tlb/message/msg-envelope.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { LocalnetError } from '../localnet-error.ts';
import { type OutMessage, readOutMessage } from './out-message.ts';
import { nextHopPrefix } from './routing.ts';
import { standardAddress } from './standard-address.ts';

/** An internal message on its way, in the outbound queue of the shard that made it. */
export interface QueuedMessage {
  readonly envelope: Cell;
  readonly message: OutMessage;
  readonly fwdFeeRemaining: bigint;
  readonly metadata: NewMetadata | null;
  readonly nextBits: number;
}

// _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;
export const OUT_QUEUE: TrieForm<QueuedMessage, bigint> = {
  keyBits: 352,
  store: (builder, { envelope, message }) => builder.u64(message.createdLt).ref(envelope),
  extra: lowestLtExtra(({ message }) => message.createdLt),
};

/** Key of a message in the queue: workchain and prefix of its next hop, then its hash. */
export function queueKey({ message, nextBits }: QueuedMessage): Uint8Array {
  const key = new Uint8Array(44);
  key.set(numberKey(message.dest.workchain, 32), 0);
  key.set(numberKey(nextHopPrefix(message.source, message.dest, nextBits), 64), 4);
  key.set(message.hash, 12);
  return key;
}

/** Value of a queued message with the remaining forward fee. */
export function carriedValue({ message, fwdFeeRemaining }: QueuedMessage): Money {
  return addMoney(message.value, grams(fwdFeeRemaining));
}

/** The order in which messages are delivered: by lt, then by hash. */
export function compareQueued(a: QueuedMessage, b: QueuedMessage): number {
  return compareLtHash(a.message.createdLt, a.message.hash, b.message.createdLt, b.message.hash);
}

export function compareLtHash(ltA: bigint, hashA: Uint8Array, ltB: bigint, hashB: Uint8Array): number {
  if (ltA !== ltB) return ltA < ltB ? -1 : 1;
  return Buffer.compare(hashA, hashB);
}

/** Reads a queued message of a state. */
export function readQueued(cells: CellsOfBag, envelopeCell: number): QueuedMessage {
  const { boc } = cells;
  const envelope = loadWholeCell(boc, envelopeCell, 'MsgEnvelope', loadMsgEnvelope);
  const message = readOutMessage(boc, envelope.msg, cells.cell(envelope.msg));
  if (message.kind !== 'internal' || envelope.nextAddr.kind !== 'regular')
    throw new LocalnetError('queue', 'an internal message on a regular way', message.kind);
  const { metadata } = envelope;
  return {
    envelope: cells.cell(envelopeCell),
    message,
    fwdFeeRemaining: envelope.fwdFeeRemaining,
    metadata: metadata && {
      depth: metadata.depth,
      initiator: standardAddress(metadata.initiatorAddr),
      initiatorLt: metadata.initiatorLt,
    },
    nextBits: envelope.nextAddr.useDestBits,
  };
}
