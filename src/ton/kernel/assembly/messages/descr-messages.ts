/** Entries of InMsgDescr and OutMsgDescr; mirrors tlb/message/in-msg.ts, tlb/message/out-msg.ts, tlb/message/msg-envelope.ts. */
import { skipInternalAddress } from '../address';
import { bad, bit, enter, expectTag, leave, ref, skipBits, skipCoins, uint } from '../bags/cursor';
import { skipIntermediateAddress } from './intermediate-address';

/**
 *     msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
 *       msg:^(Message Any) = MsgEnvelope;
 *     msg_envelope_v2#5 ... emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
 *
 * Gives the message's cell.
 */
function envelope(): i32 {
  enter(ref());
  const tag = uint(4);
  if (tag != 4 && tag != 5) bad('MsgEnvelope', 5, tag);
  skipIntermediateAddress();
  skipIntermediateAddress();
  skipCoins();
  const message = ref();
  if (tag == 5) {
    if (bit()) skipBits(64);
    if (bit()) metadata();
  }
  leave('MsgEnvelope');
  return message;
}

/** msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata; */
function metadata(): void {
  expectTag(4, 0, 'MsgMetadata');
  skipBits(32);
  skipInternalAddress();
  skipBits(64);
}

/** envelope, transaction:^Transaction, fee:Grams */
function delivered(): i32 {
  const message = envelope();
  ref();
  skipCoins();
  return message;
}

/**
 * An InMsg; gives the message's cell.
 *
 *     msg_import_ext$000, msg_import_deferred_fin$00100, msg_import_deferred_tr$00101, msg_import_ihr$010,
 *     msg_import_imm$011, msg_import_fin$100, msg_import_tr$101, msg_discard_fin$110, msg_discard_tr$111
 */
export function inMsg(): i32 {
  const tag = uint(3);
  if (tag == 0b000 || tag == 0b010) {
    const message = ref();
    ref();
    if (tag == 0b000) return message;
    skipCoins();
    ref();
    return message;
  }
  if (tag == 0b001) return deferredIn();
  if (tag == 0b011 || tag == 0b100) return delivered();
  const message = envelope();
  if (tag == 0b101) {
    envelope();
    skipCoins();
    return message;
  }
  skipBits(64);
  skipCoins();
  if (tag == 0b111) ref();
  return message;
}

function deferredIn(): i32 {
  const tag = uint(2);
  if (tag == 0b00) return delivered();
  if (tag != 0b01) bad('InMsg', 0b00101, 0b00100 | tag);
  const message = envelope();
  envelope();
  return message;
}

/** `^InMsg`, for its form only; the same entry is in InMsgDescr. */
function checkInMsg(): void {
  enter(ref());
  inMsg();
  leave('InMsg');
}

function sent(): i32 {
  const message = envelope();
  ref();
  return message;
}

function forwarded(): i32 {
  const message = envelope();
  checkInMsg();
  return message;
}

/**
 * Reads an OutMsg. Returns the message's cell, or -1 if it has none.
 *
 *     msg_export_ext$000, msg_export_new$001, msg_export_imm$010, msg_export_tr$011, msg_export_deq_imm$100,
 *     msg_export_new_defer$10100, msg_export_deferred_tr$10101, msg_export_deq$1100, msg_export_deq_short$1101,
 *     msg_export_tr_req$111
 */
export function outMsg(): i32 {
  const tag = uint(3);
  if (tag == 0b000) {
    const message = ref();
    ref();
    return message;
  }
  if (tag == 0b001) return sent();
  if (tag == 0b010) {
    const message = sent();
    checkInMsg();
    return message;
  }
  if (tag == 0b101) return deferredOut();
  if (tag == 0b110) return dequeued();
  return forwarded();
}

function deferredOut(): i32 {
  const tag = uint(2);
  if (tag == 0b00) return sent();
  if (tag != 0b01) bad('OutMsg', 0b10101, 0b10100 | tag);
  return forwarded();
}

function dequeued(): i32 {
  if (bit()) {
    skipBits(256 + 32 + 64 + 64);
    return -1;
  }
  const message = envelope();
  skipBits(63);
  return message;
}
