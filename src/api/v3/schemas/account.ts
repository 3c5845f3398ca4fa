import { type Static, Type } from 'typebox';
import { AddressBookSchema, MetadataSchema } from './address-book.ts';
import {
  Address,
  Amount,
  ExtraCurrencies,
  Hash,
  Lt,
  NextCursor,
  nullable,
  OptionalHash,
  Suspended,
} from './common.ts';

const OptionalBoc = Type.Optional(nullable(Type.String({ description: 'bag of cells, base64' })));

export const AccountStateSchema = Type.Object({
  address: Address,
  account_state_hash: Hash,
  balance: nullable(Amount),
  extra_currencies: nullable(ExtraCurrencies),
  status: nullable(Type.String()),
  frozen_hash: OptionalHash,
  data_hash: OptionalHash,
  code_hash: OptionalHash,
  data_boc: OptionalBoc,
  code_boc: OptionalBoc,
  last_transaction_hash: nullable(Hash),
  last_transaction_lt: nullable(Lt),
  contract_methods: nullable(Type.Array(Type.Integer())),
  interfaces: nullable(Type.Array(Type.String())),
  suspended: Suspended,
});
export type AccountStateAnswer = Static<typeof AccountStateSchema>;

export const AccountStatesSchema = Type.Object({
  accounts: Type.Array(AccountStateSchema),
  address_book: AddressBookSchema,
  metadata: MetadataSchema,
});
export type AccountStatesAnswer = Static<typeof AccountStatesSchema>;

export const WalletStateSchema = Type.Object({
  address: Address,
  is_wallet: Type.Boolean(),
  wallet_type: Type.Optional(Type.String({ description: 'for example wallet v4 r2' })),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
  balance: Type.Optional(Amount),
  extra_currencies: Type.Optional(ExtraCurrencies),
  is_signature_allowed: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.String()),
  code_hash: OptionalHash,
  last_transaction_hash: nullable(Hash),
  last_transaction_lt: nullable(Lt),
  suspended: Suspended,
});
export type WalletStateAnswer = Static<typeof WalletStateSchema>;

export const WalletStatesSchema = Type.Object({
  wallets: Type.Array(WalletStateSchema),
  address_book: AddressBookSchema,
  metadata: MetadataSchema,
});
export type WalletStatesAnswer = Static<typeof WalletStatesSchema>;

/** Accounts and their balances, largest first. */
export const RankedAccountsSchema = Type.Array(Type.Object({ account: Address, balance: Amount }));

/** The list itself; with the parameter `cursor`, an object with the list. */
export const TopAccountsSchema = Type.Union([
  RankedAccountsSchema,
  Type.Object({ accounts: RankedAccountsSchema, next_cursor: NextCursor }),
]);
export type TopAccountsAnswer = Static<typeof RankedAccountsSchema>;
