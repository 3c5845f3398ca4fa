import { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from '../cell/cell.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { loadStateInit } from '../tlb/message/state-init.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';

/** An internal message that a contract is asked to send. */
export interface MessageRelaxed {
  readonly bounce: boolean;
  readonly destination: MsgAddress;
  /** Nanotons. */
  readonly value: bigint;
  /** At its start. */
  readonly body: CellSlice;
}

/** Fields of such a message to store. */
export interface NewMessage {
  readonly to: AccountAddress;
  readonly value: bigint;
  readonly bounce: boolean;
  readonly body: Cell | null;
  /** A StateInit. */
  readonly init: Cell | null;
}

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
// ext_out_msg_info$11 … = CommonMsgInfoRelaxed;
// message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit))
//   body:(Either X ^X) = MessageRelaxed X;

/**
 * Loads a message; null if it is not internal.
 * @param hasCurrencies false for the form without the bit of extra currencies, which some wallets send
 * @throws CellError
 */
export function loadMessageRelaxed(slice: CellSlice, hasCurrencies = true): MessageRelaxed | null {
  if (slice.bit()) return null;
  slice.skipBits(1);
  const bounce = slice.bit();
  slice.skipBits(1);
  loadMsgAddress(slice);
  const destination = loadMsgAddress(slice);
  const value = slice.coins();
  if (hasCurrencies) slice.maybeRef();
  slice.coins();
  slice.coins();
  slice.skipBits(64 + 32);
  if (slice.bit()) {
    if (slice.bit()) slice.skipRefs(1);
    else loadStateInit(slice);
  }
  const body = slice.bit() ? new CellSlice(slice.boc, slice.ref()) : slice.clone();
  return { bounce, destination, value, body };
}

/** Stores a message without extra currencies. The sender fills in source, fees, lt and time. */
export function storeMessageRelaxed(
  builder: CellBuilder,
  { to, value, bounce, body, init }: NewMessage,
): void {
  builder.bit(false).bit(true).bit(bounce).bit(false).uint(0b00, 2);
  builder.with(storeAddress, to).coins(value).bit(false).coins(0n).coins(0n).u64(0n).uint(0, 32);
  builder.bit(init !== null);
  if (init) builder.bit(true).ref(init);
  builder.maybeRef(body);
}
