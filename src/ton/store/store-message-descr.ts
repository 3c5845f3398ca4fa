import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from './store-address.ts';

/** `interm_addr_regular` with this many bits of the destination. */
const regular = (builder: CellBuilder, destBits: number) => builder.bit(false).uint(destBits, 7);

export interface NewMetadata {
  readonly depth: number;
  readonly initiator: AccountAddress;
  readonly initiatorLt: bigint;
}

export interface NewEnvelope {
  /** Number of bits of the destination at the current and at the next hop. */
  readonly curBits: number;
  readonly nextBits: number;
  readonly fwdFeeRemaining: bigint;
  readonly message: Cell;
  /** Null writes the older form. */
  readonly metadata: NewMetadata | null;
}

// msg_envelope#4 …, msg_envelope_v2#5 …: see tlb/msg-envelope.ts.
export function envelopeCell(envelope: NewEnvelope): Cell {
  const { curBits, nextBits, fwdFeeRemaining, message, metadata } = envelope;
  const builder = new CellBuilder().uint(metadata ? 5 : 4, 4);
  regular(builder, curBits);
  regular(builder, nextBits);
  builder.coins(fwdFeeRemaining).ref(message);
  if (!metadata) return builder.cell();
  // No emitted_lt; metadata is there: msg_metadata#0.
  builder.bit(false).bit(true).uint(0, 4).uint(metadata.depth, 32);
  return builder.with(storeAddress, metadata.initiator).u64(metadata.initiatorLt).cell();
}

// msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
export function importExt(message: Cell, transaction: Cell): Cell {
  return new CellBuilder().uint(0b000, 3).ref(message).ref(transaction).cell();
}

// msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
export function importImm(envelope: Cell, transaction: Cell, fwdFee: bigint): Cell {
  return new CellBuilder().uint(0b011, 3).ref(envelope).ref(transaction).coins(fwdFee).cell();
}

// msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
export function importFin(envelope: Cell, transaction: Cell, fwdFee: bigint): Cell {
  return new CellBuilder().uint(0b100, 3).ref(envelope).ref(transaction).coins(fwdFee).cell();
}

// msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg;
export function exportExt(message: Cell, transaction: Cell): Cell {
  return new CellBuilder().uint(0b000, 3).ref(message).ref(transaction).cell();
}

// msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
export function exportNew(envelope: Cell, transaction: Cell): Cell {
  return new CellBuilder().uint(0b001, 3).ref(envelope).ref(transaction).cell();
}

// msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg;
export function exportImm(envelope: Cell, transaction: Cell, reimport: Cell): Cell {
  return new CellBuilder().uint(0b010, 3).ref(envelope).ref(transaction).ref(reimport).cell();
}

// msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg;
export function exportDeqImm(envelope: Cell, reimport: Cell): Cell {
  return new CellBuilder().uint(0b100, 3).ref(envelope).ref(reimport).cell();
}

// msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64
//   import_block_lt:uint64 = OutMsg;
export function exportDeqShort(envelope: Cell, workchain: number, prefix: bigint, importLt: bigint): Cell {
  const builder = new CellBuilder().uint(0b1101, 4).bytes(envelope.hash());
  return builder.int(workchain, 32).u64(prefix).u64(importLt).cell();
}
