/** The three forms of a transaction of contract/v2-endpoints.md section 5. */
import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { rawAddress } from '../../query/account-id.ts';
import { type AccountAddress, accountAddress, friendlyOfHex } from './account-address.ts';
import { type ExtMessage, extMessage, type RawMessage, rawMessage } from './message.ts';
import { type TransactionId, transactionId } from './transaction-id.ts';

/** The columns that an answer shows. */
export type ShownColumns = Pick<
  TransactionRow,
  'workchain' | 'account' | 'lt' | 'hash' | 'now' | 'total_fees' | 'storage_fees_collected' | 'messages'
>;

/** A stored transaction with its cell (bag of cells) as sliced from the block. */
export interface StoredTransaction {
  readonly row: ShownColumns;
  readonly data: Uint8Array;
}

interface TransactionFields {
  readonly utime: number;
  readonly data: string;
  readonly transaction_id: TransactionId;
  readonly fee: string;
  readonly storage_fee: string;
  readonly other_fee: string;
}

/** The forms differ only by the tag and the form of the messages. */
interface TransactionMessages<M> {
  readonly in_msg?: M;
  readonly out_msgs: readonly M[];
}

export interface RawTransaction extends TransactionFields, TransactionMessages<RawMessage> {
  readonly '@type': 'raw.transaction';
  readonly address: AccountAddress;
}

export interface RawTransactionExt extends TransactionFields, TransactionMessages<RawMessage> {
  readonly '@type': 'raw.transactionExt';
  readonly address: AccountAddress;
  readonly account: string;
}

export interface ExtTransaction extends TransactionFields, TransactionMessages<ExtMessage> {
  readonly '@type': 'ext.transaction';
  readonly address: AccountAddress;
  readonly account: string;
}

/** fee: all that was charged, the forward fees of outgoing messages included. */
function transactionFields(
  { row, data }: StoredTransaction,
  messages: readonly PackedMessage[],
): TransactionFields {
  let fee = BigInt(row.total_fees);
  for (const message of messages) if (message.direction === 'out') fee += message.fwdFee;
  return {
    utime: row.now,
    data: toBase64(data),
    transaction_id: transactionId(row.lt, row.hash),
    fee: fee.toString(),
    storage_fee: row.storage_fees_collected,
    other_fee: (fee - BigInt(row.storage_fees_collected)).toString(),
  };
}

/** in_msg is omitted, never null, if there is none: published clients refuse null. */
function toMessages<M>(
  messages: readonly PackedMessage[],
  form: (message: PackedMessage) => M,
): TransactionMessages<M> {
  const incoming = messages.find((message) => message.direction === 'in');
  const out_msgs = messages.filter((message) => message.direction === 'out').map(form);
  return incoming ? { in_msg: form(incoming), out_msgs } : { out_msgs };
}

function getAddress({ row }: StoredTransaction): AccountAddress {
  return accountAddress(friendlyOfHex(row.workchain, row.account));
}

/** getTransactionsStd. */
export function rawTransaction(stored: StoredTransaction): RawTransaction {
  const messages = stored.row.messages;
  return {
    '@type': 'raw.transaction',
    address: getAddress(stored),
    ...transactionFields(stored, messages),
    ...toMessages(messages, rawMessage),
  };
}

/** getBlockTransactionsExt. */
export function rawTransactionExt(stored: StoredTransaction): RawTransactionExt {
  const { workchain, account } = stored.row;
  const raw = rawTransaction(stored);
  return { ...raw, '@type': 'raw.transactionExt', account: rawAddress({ workchain, hash: account }) };
}

/** getTransactions, tryLocate…. */
export function extTransaction(stored: StoredTransaction): ExtTransaction {
  const messages = stored.row.messages;
  return {
    '@type': 'ext.transaction',
    address: getAddress(stored),
    account: rawAddress({ workchain: stored.row.workchain, hash: stored.row.account }),
    ...transactionFields(stored, messages),
    ...toMessages(messages, extMessage),
  };
}
