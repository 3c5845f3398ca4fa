import type { AccountAddress } from '../../../../src/ton/store/store-address.ts';
import { type RawCell, rawBag, under } from './raw-bag.ts';

/**
 * An external message to an account, its body in a reference, as a bag of cells.
 *
 *     ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
 *     message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
 */
export function externalWith(body: readonly RawCell[], { workchain, address }: AccountAddress): Buffer {
  const account = bitsOf(workchain & 0xff, 8) + bitsOfBytes(address);
  return rawBag(under(`1000${'100'}${account}${'0000'}${'0'}${'1'}`, body));
}

export function bitsOf(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}

function bitsOfBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => bitsOf(byte, 8)).join('');
}
