import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { type StoredPayload, storePayload } from './payload.ts';

/** `max_ext_msg_size` and `max_ext_msg_depth` of the reference node: no account gets a larger message. */
export const MAX_EXTERNAL_BYTES = 65_535;
export const MAX_EXTERNAL_DEPTH = 512;

// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
// message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;

/** An external message to an account. `init`: a StateInit, which is put in a reference. */
export function externalMessage(to: AccountAddress, body: StoredPayload, init: Cell | null = null): Cell {
  const builder = new CellBuilder().uint(0b10, 2).uint(0b00, 2).with(storeAddress, to).coins(0n);
  builder.bit(init !== null);
  if (init) builder.bit(true).ref(init);
  return builder.with(storePayload, body).cell();
}
