import type { CellSlice } from '../../boc/cell-slice.ts';
import { unknownTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { loadInMsg } from './in-msg.ts';
import { loadMsgEnvelope, type MsgEnvelope } from './msg-envelope.ts';

export type OutMsgKind =
  | 'ext'
  | 'imm'
  | 'new'
  | 'tr'
  | 'deq'
  | 'deq_short'
  | 'tr_req'
  | 'deq_imm'
  | 'new_defer'
  | 'deferred_tr';

/** An exported or dequeued message; cells are indexes, -1 where the kind has none. */
export interface OutMsg {
  readonly kind: OutMsgKind;
  readonly msg: number;
  readonly transaction: number;
  readonly envelope: MsgEnvelope | null;
}

// msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg;
// msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
// msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg;
// msg_export_tr$011 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
// msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg;
// msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
// msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
// msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:uint63 = OutMsg;
// msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64
//   import_block_lt:uint64 = OutMsg;
// msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
export function loadOutMsg(slice: CellSlice): OutMsg {
  const tag = slice.uint(3);
  switch (tag) {
    case 0b000:
      return { kind: 'ext', msg: slice.ref(), transaction: slice.ref(), envelope: null };
    case 0b001:
      return loadSent(slice, 'new');
    case 0b010: {
      const sent = loadSent(slice, 'imm');
      checkInMsg(slice);
      return sent;
    }
    case 0b011:
      return loadForwarded(slice, 'tr');
    case 0b100:
      return loadForwarded(slice, 'deq_imm');
    case 0b101:
      return loadDeferred(slice);
    case 0b110:
      return loadDequeued(slice);
    default:
      return loadForwarded(slice, 'tr_req');
  }
}

function loadDeferred(slice: CellSlice): OutMsg {
  const tag = slice.uint(2);
  if (tag === 0b00) return loadSent(slice, 'new_defer');
  if (tag === 0b01) return loadForwarded(slice, 'deferred_tr');
  throw unknownTag(slice, 'OutMsg', 0b10100 | tag);
}

function loadDequeued(slice: CellSlice): OutMsg {
  if (!slice.bit()) {
    const envelope = loadEnvelope(slice);
    slice.skipBits(63);
    return { kind: 'deq', msg: envelope.msg, transaction: -1, envelope };
  }
  slice.skipBits(256 + 32 + 64 + 64);
  return { kind: 'deq_short', msg: -1, transaction: -1, envelope: null };
}

function loadSent(slice: CellSlice, kind: OutMsgKind): OutMsg {
  const envelope = loadEnvelope(slice);
  return { kind, msg: envelope.msg, transaction: slice.ref(), envelope };
}

function loadForwarded(slice: CellSlice, kind: OutMsgKind): OutMsg {
  const envelope = loadEnvelope(slice);
  checkInMsg(slice);
  return { kind, msg: envelope.msg, transaction: -1, envelope };
}

function loadEnvelope(slice: CellSlice): MsgEnvelope {
  return loadWholeCell(slice.boc, slice.ref(), 'MsgEnvelope', loadMsgEnvelope);
}

/** `^InMsg`: read for its form only; the same entry is in InMsgDescr. */
function checkInMsg(slice: CellSlice): void {
  loadWholeCell(slice.boc, slice.ref(), 'InMsg', loadInMsg);
}
