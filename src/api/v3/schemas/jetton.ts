import { type Static, Type } from 'typebox';
import { DescribedPage } from './address-book.ts';
import { Address, Amount, Hash, Lt, NamedAddress, nullable } from './common.ts';

const OptionalBoc = nullable(Type.String({ description: 'bag of cells, base64' }));
/** Decoded bodies come with a later projection. */
const Decoded = nullable(Type.Object({}));

/** Attributes of TEP-64 by name. */
const Attributes = Type.Record(Type.String(), Type.String());
export const ContentSchema = nullable(Attributes);

/** Fields of all transfers (v3-models.md 9 and 10). */
export const TRANSFER_FIELDS = {
  query_id: Type.String(),
  transaction_hash: Hash,
  transaction_lt: Lt,
  transaction_now: Type.Integer({ description: 'Unix time, seconds' }),
  transaction_aborted: Type.Boolean(),
  response_destination: nullable(NamedAddress),
  custom_payload: OptionalBoc,
  decoded_custom_payload: Decoded,
  trace_id: nullable(Hash),
} as const;

export const FORWARD_FIELDS = { forward_payload: OptionalBoc, decoded_forward_payload: Decoded } as const;

export const JettonMasterSchema = Type.Object({
  address: Address,
  total_supply: Amount,
  mintable: Type.Boolean(),
  admin_address: nullable(Address),
  jetton_content: Attributes,
  jetton_wallet_code_hash: Hash,
  code_hash: Hash,
  data_hash: Hash,
  last_transaction_lt: Lt,
});
export type JettonMasterAnswer = Static<typeof JettonMasterSchema>;

export const JettonMastersSchema = Type.Object({
  jetton_masters: Type.Array(JettonMasterSchema),
  ...DescribedPage,
});
export type JettonMastersAnswer = Static<typeof JettonMastersSchema>;

/** Claim to a mintless jetton, from the operator. */
export const JettonTransferSchema = Type.Object({
  ...TRANSFER_FIELDS,
  ...FORWARD_FIELDS,
  source: Address,
  destination: NamedAddress,
  amount: Amount,
  source_wallet: Address,
  jetton_master: Address,
  forward_ton_amount: nullable(Amount),
});
export type JettonTransferAnswer = Static<typeof JettonTransferSchema>;

export const JettonTransfersSchema = Type.Object({
  jetton_transfers: Type.Array(JettonTransferSchema),
  ...DescribedPage,
});
export type JettonTransfersAnswer = Static<typeof JettonTransfersSchema>;

export const JettonBurnSchema = Type.Object({
  ...TRANSFER_FIELDS,
  owner: Address,
  jetton_wallet: Address,
  jetton_master: Address,
  amount: Amount,
});
export type JettonBurnAnswer = Static<typeof JettonBurnSchema>;

export const JettonBurnsSchema = Type.Object({
  jetton_burns: Type.Array(JettonBurnSchema),
  ...DescribedPage,
});
export type JettonBurnsAnswer = Static<typeof JettonBurnsSchema>;
