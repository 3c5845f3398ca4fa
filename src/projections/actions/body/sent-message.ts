import type { Body } from './body.ts';
import { isRefusal } from './refusal.ts';

/** Header and body of a message inside another body: what a wallet or vesting contract was asked to send. */
export interface SentMessage {
  readonly destination: string | null;
  readonly value: bigint;
  readonly bounce: boolean;
  /** At its start. */
  readonly body: Body;
}

/**
 * Reads a message of the relaxed form, whose source the sender fills in:
 *
 *     int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
 *       value:CurrencyCollection ihr_fee:Coins fwd_fee:Coins created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 *     message$_ info init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
 *
 * Some wallets' messages lack the bit of extra currencies, so that form is tried second. Returns null for messages that
 * are not internal.
 * @throws CellError if the cell is not a message
 */
export function readSentMessage(cell: Body): SentMessage | null {
  try {
    return readForm(cell.clone(), true);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return readForm(cell.clone(), false);
  }
}

function readForm(reader: Body, hasCurrencies: boolean): SentMessage | null {
  if (reader.bit()) return null;
  reader.skip(1);
  const bounce = reader.bit();
  reader.skip(1);
  reader.address();
  const destination = reader.address();
  const value = reader.coins();
  if (hasCurrencies) reader.maybeRef();
  reader.coins();
  reader.coins();
  reader.skip(64 + 32);
  if (reader.bit()) skipStateInit(reader);
  const body = reader.bit() ? reader.ref() : reader.clone();
  return { destination, value, bounce, body };
}

/** `Either StateInit ^StateInit` */
function skipStateInit(reader: Body): void {
  if (reader.bit()) reader.ref();
  else {
    if (reader.bit()) reader.skip(5);
    if (reader.bit()) reader.skip(2);
    for (let part = 0; part < 3; part++) reader.maybeRef();
  }
}
