import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';

/** Code and data of a message for its account; null if absent. */
export interface MessageInit {
  readonly code: Cell | null;
  readonly data: Cell | null;
}

/** An external message to an account, its body and init in references. */
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
// message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
export function externalMessage(to: AccountAddress, body: Cell, init: MessageInit | null): Cell {
  const builder = new CellBuilder().uint(0b10, 2).uint(0b00, 2).with(storeAddress, to).coins(0n);
  builder.bit(init !== null);
  if (init) builder.bit(true).ref(stateInit(init));
  return builder.bit(true).ref(body).cell();
}

// _ split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(HashmapE 256 SimpleLib) = StateInit;
function stateInit({ code, data }: MessageInit): Cell {
  return new CellBuilder().bit(false).bit(false).maybeRef(code).maybeRef(data).bit(false).cell();
}

/** A message of coins from an account to itself that does not come back. */
// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
export function coinsMessage(to: AccountAddress, value: bigint): Cell {
  const builder = new CellBuilder().bit(false).bit(true).bit(false).bit(false);
  builder.with(storeAddress, to).with(storeAddress, to).coins(value).bit(false).coins(0n).coins(0n);
  return builder.u64(0n).uint(0, 32).bit(false).bit(false).cell();
}
