import { type Static, Type } from 'typebox';
import { AddressBookSchema, Page } from './address-book.ts';
import { Address, Amount, Hash, Lt, nullable } from './common.ts';

/* Multisigs, their orders and vesting (v3-models.md 11), nominator pools (v3-more.md 3). */

const Seconds = Type.Integer({ description: 'seconds' });
const Boc = Type.String({ description: 'bag of cells, base64' });

export const OrderActionSchema = Type.Object({
  destination: nullable(Address),
  value: nullable(Amount),
  body_raw: nullable(Boc),
  parsed: Type.Boolean(),
  error: nullable(Type.String()),
  parsed_body: nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'fields by type' })),
  parsed_body_type: Type.String(),
  send_mode: Type.Integer(),
});
export type OrderActionAnswer = Static<typeof OrderActionSchema>;

export const MultisigOrderSchema = Type.Object({
  address: Address,
  multisig_address: Address,
  order_seqno: nullable(Type.String()),
  threshold: nullable(Type.Integer()),
  sent_for_execution: nullable(Type.Boolean()),
  approvals_mask: nullable(Type.String()),
  approvals_num: nullable(Type.Integer()),
  expiration_date: nullable(Type.Integer({ description: 'Unix time, seconds' })),
  order_boc: nullable(Boc),
  signers: nullable(Type.Array(Address)),
  last_transaction_lt: Lt,
  code_hash: nullable(Hash),
  data_hash: nullable(Hash),
  actions: nullable(Type.Array(OrderActionSchema)),
});
export type MultisigOrderAnswer = Static<typeof MultisigOrderSchema>;

export const MultisigOrdersSchema = Type.Object({
  orders: Type.Array(MultisigOrderSchema),
  ...Page,
});
export type MultisigOrdersAnswer = Static<typeof MultisigOrdersSchema>;

export const MultisigSchema = Type.Object({
  address: Address,
  next_order_seqno: nullable(Type.String()),
  threshold: nullable(Type.Integer()),
  signers: nullable(Type.Array(Address)),
  proposers: nullable(Type.Array(Address)),
  last_transaction_lt: Lt,
  code_hash: nullable(Hash),
  data_hash: nullable(Hash),
  orders: nullable(Type.Array(MultisigOrderSchema)),
});
export type MultisigAnswer = Static<typeof MultisigSchema>;

export const MultisigsSchema = Type.Object({
  multisigs: Type.Array(MultisigSchema),
  ...Page,
});
export type MultisigsAnswer = Static<typeof MultisigsSchema>;

export const VestingSchema = Type.Object({
  address: nullable(Address),
  start_time: nullable(Type.Integer({ description: 'Unix time, seconds' })),
  total_duration: nullable(Seconds),
  unlock_period: nullable(Seconds),
  cliff_duration: nullable(Seconds),
  sender_address: nullable(Address),
  owner_address: nullable(Address),
  total_amount: nullable(Amount),
  whitelist: Type.Array(Address),
});
export type VestingAnswer = Static<typeof VestingSchema>;

export const VestingsSchema = Type.Object({
  vesting_contracts: Type.Array(VestingSchema),
  ...Page,
});
export type VestingsAnswer = Static<typeof VestingsSchema>;

export const PoolSchema = Type.Object({
  state: Type.Integer({ description: '0 not validating, 1 stake sent, 2 stake accepted' }),
  stake_amount_sent: Amount,
  validator_amount: Amount,
  validator_address: Address,
  validator_reward_share: Type.Integer({ description: 'parts of 10000' }),
  nominators_count: Type.Integer(),
  max_nominators_count: Type.Integer(),
  min_validator_stake: Amount,
  min_nominator_stake: Amount,
  active_nominators: Type.Array(Type.Object({ address: Address, balance: Amount, pending_balance: Amount })),
  address_book: AddressBookSchema,
});
export type PoolAnswer = Static<typeof PoolSchema>;

export const NominatorPoolsSchema = Type.Object({
  nominator_pools: Type.Array(
    Type.Object({ pool_address: Address, balance: Amount, pending_balance: Amount }),
  ),
  address_book: AddressBookSchema,
});
export type NominatorPoolsAnswer = Static<typeof NominatorPoolsSchema>;
