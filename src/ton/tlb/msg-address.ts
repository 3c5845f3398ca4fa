import type { CellSlice } from '../boc/cell-slice.ts';
import { type Anycast, loadAnycast } from './anycast.ts';
import { type BitString, loadBitString } from './bit-string.ts';
import { unknownTag } from './tag.ts';

export interface AddrNone {
  readonly kind: 'none';
}

export interface AddrExtern {
  readonly kind: 'extern';
  readonly address: BitString;
}

export interface AddrStd {
  readonly kind: 'std';
  readonly anycast: Anycast | null;
  readonly workchain: number;
  /** 32 bytes as written, before anycast rewriting. */
  readonly address: Uint8Array;
}

export interface AddrVar {
  readonly kind: 'var';
  readonly anycast: Anycast | null;
  readonly workchain: number;
  readonly address: BitString;
}

export type MsgAddressExt = AddrNone | AddrExtern;
export type MsgAddressInt = AddrStd | AddrVar;
export type MsgAddress = MsgAddressExt | MsgAddressInt;

const NONE: AddrNone = { kind: 'none' };

// addr_none$00 = MsgAddressExt;
// addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
export function loadMsgAddressExt(slice: CellSlice): MsgAddressExt {
  const tag = slice.uint(2);
  if (tag === 0b00) return NONE;
  if (tag === 0b01) return { kind: 'extern', address: loadBitString(slice, slice.uint(9)) };
  throw unknownTag(slice, 'MsgAddressExt', tag);
}

// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
export function loadMsgAddressInt(slice: CellSlice): MsgAddressInt {
  const tag = slice.uint(2);
  if (tag !== 0b10 && tag !== 0b11) throw unknownTag(slice, 'MsgAddressInt', tag);
  const anycast = slice.bit() ? loadAnycast(slice) : null;
  if (tag === 0b10) {
    return { kind: 'std', anycast, workchain: slice.int(8), address: slice.bytes(32) };
  }
  const bitLength = slice.uint(9);
  const workchain = slice.int(32);
  return { kind: 'var', anycast, workchain, address: loadBitString(slice, bitLength) };
}

// _ _:MsgAddressInt = MsgAddress;
// _ _:MsgAddressExt = MsgAddress;
export function loadMsgAddress(slice: CellSlice): MsgAddress {
  return slice.peekUint(2) < 2 ? loadMsgAddressExt(slice) : loadMsgAddressInt(slice);
}
