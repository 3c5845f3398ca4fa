import { type Static, Type } from 'typebox';
import { AddressBookSchema } from './address-book.ts';
import {
  Address,
  Amount,
  BlockId,
  ExtraCurrencies,
  Hash,
  Lt,
  NextCursor,
  nullable,
  OptionalHash,
} from './common.ts';
import { DescriptionSchema } from './description.ts';
import { MessageSchema } from './message.ts';

export const TransactionStateSchema = Type.Object({
  hash: Hash,
  balance: nullable(Amount),
  extra_currencies: nullable(ExtraCurrencies),
  account_status: nullable(Type.String()),
  frozen_hash: nullable(Hash),
  data_hash: nullable(Hash),
  code_hash: nullable(Hash),
});
export type TransactionStateAnswer = Static<typeof TransactionStateSchema>;

export const TransactionSchema = Type.Object({
  account: Address,
  hash: Hash,
  lt: Lt,
  now: Type.Integer(),
  mc_block_seqno: Type.Integer(),
  trace_id: OptionalHash,
  trace_external_hash: OptionalHash,
  prev_trans_hash: Hash,
  prev_trans_lt: Lt,
  orig_status: Type.String(),
  end_status: Type.String(),
  total_fees: Amount,
  total_fees_extra_currencies: ExtraCurrencies,
  description: DescriptionSchema,
  block_ref: BlockId,
  in_msg: nullable(MessageSchema),
  out_msgs: Type.Array(MessageSchema),
  account_state_before: TransactionStateSchema,
  account_state_after: TransactionStateSchema,
  emulated: Type.Boolean(),
  finality: Type.String({ enum: ['pending', 'confirmed', 'finalized'] }),
});
export type TransactionAnswer = Static<typeof TransactionSchema>;

export const TransactionsSchema = Type.Object({
  transactions: Type.Array(TransactionSchema),
  address_book: AddressBookSchema,
});
export type TransactionsAnswer = Static<typeof TransactionsSchema>;

/** A list that can be scanned. */
export const ScannedTransactionsSchema = Type.Object({
  ...TransactionsSchema.properties,
  next_cursor: NextCursor,
});
