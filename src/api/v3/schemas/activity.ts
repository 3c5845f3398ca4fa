import { type Static, Type } from 'typebox';
import { AddressBookSchema, MetadataSchema } from './address-book.ts';
import { Address, Amount, Lt } from './common.ts';

const Count = Type.String({ description: 'count, decimal' });

export const AccountActivitySchema = Type.Object({
  address: Address,
  transactions: Count,
  aborted_transactions: Count,
  messages_in: Count,
  messages_out: Count,
  fees: Amount,
  first_transaction_lt: Lt,
  first_transaction_utime: Type.Integer({ description: 'Unix time, seconds' }),
  last_transaction_lt: Lt,
  last_transaction_utime: Type.Integer({ description: 'Unix time, seconds' }),
});
export type AccountActivityAnswer = Static<typeof AccountActivitySchema>;

export const AccountActivitiesSchema = Type.Object({
  mc_seqno: Type.Integer({ description: 'masterchain block that the counts reach up to' }),
  accounts: Type.Array(AccountActivitySchema),
  address_book: AddressBookSchema,
  metadata: MetadataSchema,
});
export type AccountActivitiesAnswer = Static<typeof AccountActivitiesSchema>;
