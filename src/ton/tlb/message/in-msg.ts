import type { CellSlice } from '../../boc/cell-slice.ts';
import { unknownTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { loadMsgEnvelope, type MsgEnvelope } from './msg-envelope.ts';

export type InMsgKind =
  | 'ext'
  | 'ihr'
  | 'imm'
  | 'fin'
  | 'tr'
  | 'discard_fin'
  | 'discard_tr'
  | 'deferred_fin'
  | 'deferred_tr';

/** An imported message; cells are indexes, -1 where the kind has none. */
export interface InMsg {
  readonly kind: InMsgKind;
  readonly msg: number;
  readonly transaction: number;
  readonly inEnvelope: MsgEnvelope | null;
  readonly outEnvelope: MsgEnvelope | null;
  /** `fwd_fee`, `ihr_fee` or `transit_fee`. */
  readonly fee: bigint;
}

// msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
// msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell = InMsg;
// msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams = InMsg;
// msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams = InMsg;
// msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell = InMsg;
// msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;
export function loadInMsg(slice: CellSlice): InMsg {
  const tag = slice.uint(3);
  switch (tag) {
    case 0b000:
      return direct('ext', slice.ref(), slice.ref(), 0n);
    case 0b001:
      return loadDeferred(slice);
    case 0b010: {
      const ihr = direct('ihr', slice.ref(), slice.ref(), slice.coins());
      slice.ref();
      return ihr;
    }
    case 0b011:
      return loadDelivered(slice, 'imm');
    case 0b100:
      return loadDelivered(slice, 'fin');
    case 0b101:
      return passedOn('tr', loadEnvelope(slice), loadEnvelope(slice), slice.coins());
    default: {
      const envelope = loadEnvelope(slice);
      slice.u64();
      const fee = slice.coins();
      if (tag === 0b111) slice.ref();
      return taken(tag === 0b111 ? 'discard_tr' : 'discard_fin', envelope, -1, fee);
    }
  }
}

function loadDeferred(slice: CellSlice): InMsg {
  const tag = slice.uint(2);
  if (tag === 0b00) return loadDelivered(slice, 'deferred_fin');
  if (tag === 0b01) return passedOn('deferred_tr', loadEnvelope(slice), loadEnvelope(slice), 0n);
  throw unknownTag(slice, 'InMsg', 0b00100 | tag);
}

function loadDelivered(slice: CellSlice, kind: InMsgKind): InMsg {
  const envelope = loadEnvelope(slice);
  const transaction = slice.ref();
  return taken(kind, envelope, transaction, slice.coins());
}

function loadEnvelope(slice: CellSlice): MsgEnvelope {
  return loadWholeCell(slice.boc, slice.ref(), 'MsgEnvelope', loadMsgEnvelope);
}

function direct(kind: InMsgKind, msg: number, transaction: number, fee: bigint): InMsg {
  return { kind, msg, transaction, inEnvelope: null, outEnvelope: null, fee };
}

/** A message whose way ends here. */
function taken(kind: InMsgKind, inEnvelope: MsgEnvelope, transaction: number, fee: bigint): InMsg {
  return { kind, msg: inEnvelope.msg, transaction, inEnvelope, outEnvelope: null, fee };
}

/** A message that goes on in another envelope. */
function passedOn(kind: InMsgKind, inEnvelope: MsgEnvelope, outEnvelope: MsgEnvelope, fee: bigint): InMsg {
  return { kind, msg: inEnvelope.msg, transaction: -1, inEnvelope, outEnvelope, fee };
}
