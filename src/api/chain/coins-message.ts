import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';

/** A message of coins from an account to itself that does not come back. */
// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
export function coinsMessage(to: AccountAddress, value: bigint): Cell {
  const builder = new CellBuilder().bit(false).bit(true).bit(false).bit(false);
  builder.with(storeAddress, to).with(storeAddress, to).coins(value).bit(false).coins(0n).coins(0n);
  return builder.u64(0n).uint(0, 32).bit(false).bit(false).cell();
}
