import { type Static, Type } from 'typebox';
import { MAX_ENTRIES } from '../../chain/argument-cells.ts';
import { ADDRESS_TEXT } from '../../parameters/address.ts';
import { BOC_TEXT } from '../../parameters/boc.ts';
import { INT32 } from '../../parameters/integer.ts';
import { Amount, Hash, Lt, nullable, OptionalHash, Suspended } from './common.ts';

const Boc = Type.String({ description: 'bag of cells, base64' });

export const AddressInformationSchema = Type.Object({
  balance: Amount,
  code: nullable(Boc),
  data: nullable(Boc),
  last_transaction_lt: nullable(Lt),
  last_transaction_hash: nullable(Hash),
  frozen_hash: nullable(Hash),
  status: Type.String(),
  suspended: Suspended,
});
export type AddressInformation = Static<typeof AddressInformationSchema>;

export const WalletInformationSchema = Type.Object({
  balance: Amount,
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
  last_transaction_lt: Lt,
  last_transaction_hash: Hash,
  status: Type.String(),
  suspended: Suspended,
});
export type WalletInformation = Static<typeof WalletInformationSchema>;

export const MessageBodySchema = Type.Object({ boc: BOC_TEXT });
export const SentMessageSchema = Type.Object({ message_hash: Hash, message_hash_norm: OptionalHash });
export type SentMessageAnswer = Static<typeof SentMessageSchema>;

export const EstimateFeeBodySchema = Type.Object({
  address: ADDRESS_TEXT,
  body: BOC_TEXT,
  init_code: Type.Optional(BOC_TEXT),
  init_data: Type.Optional(BOC_TEXT),
  ignore_chksig: Type.Optional(Type.Boolean({ default: false })),
});
const FeeSchema = Type.Object({
  in_fwd_fee: Type.Integer(),
  storage_fee: Type.Integer(),
  gas_fee: Type.Integer(),
  fwd_fee: Type.Integer(),
});
export const EstimateFeeSchema = Type.Object({
  source_fees: FeeSchema,
  destination_fees: Type.Array(FeeSchema),
});
export type EstimateFeeAnswer = Static<typeof EstimateFeeSchema>;

const StackEntrySchema = Type.Object({
  type: Type.String({ description: 'num, cell, slice; in answers also list and tuple' }),
  value: Type.Unknown(),
});
export const RunGetMethodBodySchema = Type.Object({
  address: ADDRESS_TEXT,
  method: Type.String({ minLength: 1 }),
  stack: Type.Array(StackEntrySchema, { maxItems: MAX_ENTRIES }),
  seqno: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number(INT32.most),
      description: 'Masterchain block of the state. Default: the newest.',
    }),
  ),
});
export const RunGetMethodSchema = Type.Object({
  gas_used: Type.Integer(),
  exit_code: Type.Integer(),
  stack: Type.Array(StackEntrySchema),
});
export type RunGetMethodAnswer = Static<typeof RunGetMethodSchema>;
