import { CellError } from '../../../ton/boc/cell-error.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { rawText } from '../../../ton/contracts/custody-state.ts';
import { standardOrNone } from '../../../ton/contracts/read-fields.ts';
import { loadCurrencyCollection } from '../../../ton/tlb/currency-collection.ts';
import { loadMsgAddress } from '../../../ton/tlb/msg-address.ts';
import { loadStateInit } from '../../../ton/tlb/state-init.ts';

/** An internal message that a contract is to send. */
export interface RelaxedMessage {
  /** Raw; null for none. */
  readonly destination: string | null;
  /** Nanotons, decimal. */
  readonly value: string;
  readonly body: CellSlice;
}

/**
 * Reads an internal message without its source.
 *
 *     int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
 *     value:CurrencyCollection
 *       ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 *     message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X)
 *       = MessageRelaxed X;
 *
 * @throws CellError not such a message
 */
export function loadMessageRelaxed(slice: CellSlice): RelaxedMessage {
  const { cell, bitPosition: bit } = slice;
  if (slice.bit())
    throw new CellError('value', { cell, bit, what: 'message', expected: 'int_msg_info', found: 1 });
  slice.skipBits(3);
  loadMsgAddress(slice);
  const destination = standardOrNone(slice);
  const { grams } = loadCurrencyCollection(slice);
  slice.coins();
  slice.coins();
  slice.skipBits(64 + 32);
  if (slice.bit()) {
    if (slice.bit()) slice.skipRefs(1);
    else loadStateInit(slice);
  }
  const body = slice.bit() ? new CellSlice(slice.boc, slice.ref()) : slice;
  return { destination: destination && rawText(destination), value: grams.toString(), body };
}
