/** raw.message and ext.message of contract/v2-endpoints.md section 5. */
import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { type AccountAddress, accountAddress, addressText } from './account-address.ts';
import { type ExtraCurrency, extraCurrencies } from './extra-currencies.ts';
import { bodyText, type MsgData } from './msg-data.ts';

interface MessageFields {
  readonly value: string;
  readonly extra_currencies: readonly ExtraCurrency[];
  readonly fwd_fee: string;
  readonly ihr_fee: string;
  readonly created_lt: string;
  readonly body_hash: string;
  readonly msg_data: MsgData;
}

export interface RawMessage extends MessageFields {
  readonly '@type': 'raw.message';
  readonly hash: string;
  readonly source: AccountAddress;
  readonly destination: AccountAddress;
}

export interface ExtMessage extends MessageFields {
  readonly '@type': 'ext.message';
  readonly hash: string;
  readonly source: string;
  readonly destination: string;
  readonly message: string;
}

function messageFields(message: PackedMessage, msg_data: MsgData): MessageFields {
  return {
    value: message.value.toString(),
    extra_currencies: extraCurrencies(message.valueExtra),
    fwd_fee: message.fwdFee.toString(),
    // The deployed servers always answer "0".
    ihr_fee: '0',
    created_lt: message.createdLt.toString(),
    body_hash: toBase64(message.bodyHash),
    msg_data,
  };
}

/** A message with addresses as objects: getTransactionsStd, getBlockTransactionsExt. */
export function rawMessage(message: PackedMessage): RawMessage {
  return {
    '@type': 'raw.message',
    hash: toBase64(message.hash),
    source: accountAddress(addressText(message.source)),
    destination: accountAddress(addressText(message.destination)),
    ...messageFields(message, bodyText(message).msgData),
  };
}

/** A message with addresses as texts and the text of its body: getTransactions, tryLocate…. */
export function extMessage(message: PackedMessage): ExtMessage {
  const body = bodyText(message);
  return {
    '@type': 'ext.message',
    hash: toBase64(message.hash),
    source: addressText(message.source),
    destination: addressText(message.destination),
    ...messageFields(message, body.msgData),
    message: body.message,
  };
}
