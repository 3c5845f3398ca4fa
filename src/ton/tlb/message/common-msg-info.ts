import type { CellSlice } from '../../boc/cell-slice.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';
import {
  loadMsgAddressExt,
  loadMsgAddressInt,
  type MsgAddressExt,
  type MsgAddressInt,
} from '../msg-address.ts';

export interface IntMsgInfo {
  readonly kind: 'internal';
  readonly ihrDisabled: boolean;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly src: MsgAddressInt;
  readonly dest: MsgAddressInt;
  readonly value: CurrencyCollection;
  /** From global version 12 on this place holds `extra_flags`. */
  readonly ihrFee: bigint;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

export interface ExtInMsgInfo {
  readonly kind: 'ext_in';
  readonly src: MsgAddressExt;
  readonly dest: MsgAddressInt;
  readonly importFee: bigint;
}

export interface ExtOutMsgInfo {
  readonly kind: 'ext_out';
  readonly src: MsgAddressInt;
  readonly dest: MsgAddressExt;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

export type CommonMsgInfo = IntMsgInfo | ExtInMsgInfo | ExtOutMsgInfo;

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
// ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
export function loadCommonMsgInfo(slice: CellSlice): CommonMsgInfo {
  if (!slice.bit()) return loadIntMsgInfo(slice);
  if (!slice.bit()) {
    return {
      kind: 'ext_in',
      src: loadMsgAddressExt(slice),
      dest: loadMsgAddressInt(slice),
      importFee: slice.coins(),
    };
  }
  return {
    kind: 'ext_out',
    src: loadMsgAddressInt(slice),
    dest: loadMsgAddressExt(slice),
    createdLt: slice.u64(),
    createdAt: slice.uint(32),
  };
}

function loadIntMsgInfo(slice: CellSlice): IntMsgInfo {
  return {
    kind: 'internal',
    ihrDisabled: slice.bit(),
    bounce: slice.bit(),
    bounced: slice.bit(),
    src: loadMsgAddressInt(slice),
    dest: loadMsgAddressInt(slice),
    value: loadCurrencyCollection(slice),
    ihrFee: slice.coins(),
    fwdFee: slice.coins(),
    createdLt: slice.u64(),
    createdAt: slice.uint(32),
  };
}
