import { type Static, Type } from 'typebox';
import { ADDRESS_TEXT } from '../parameters/address.ts';
import { ActionSchema } from '../v3/schemas/action.ts';
import { AddressBookSchema, MetadataSchema } from '../v3/schemas/address-book.ts';
import { Hash, nullable } from '../v3/schemas/common.ts';
import { TraceNodeSchema } from '../v3/schemas/trace.ts';
import { TransactionSchema } from '../v3/schemas/transaction.ts';

const Flag = Type.Optional(Type.Boolean({ default: false }));
const Cells = Type.Optional(
  Type.Record(Type.String(), Type.String(), { description: 'BoC by hash, base64' }),
);
const OptionalBoc = Type.Optional(
  nullable(Type.String({ format: 'ton-boc', description: 'bag of cells, standard base64' })),
);

/** Fields that both requests have. */
const CHOICES = {
  with_actions: Flag,
  include_code_data: Flag,
  include_address_book: Flag,
  include_metadata: Flag,
  mc_block_seqno: Type.Optional(nullable(Type.Integer({ description: 'the newest by default' }))),
};

export const EmulateTraceBodySchema = Type.Object({
  boc: Type.String({ format: 'ton-boc', description: 'external message: bag of cells, standard base64' }),
  ignore_chksig: Flag,
  ...CHOICES,
});

export const EmulateTonConnectBodySchema = Type.Object({
  from: Type.String({ format: 'ton-address', description: 'address of the wallet' }),
  messages: Type.Array(
    Type.Object({
      address: ADDRESS_TEXT,
      amount: Type.String({ pattern: '^[0-9]{1,18}$', description: 'nanotons, decimal' }),
      payload: OptionalBoc,
      stateInit: OptionalBoc,
    }),
    { minItems: 1, maxItems: 4 },
  ),
  valid_until: Type.Optional(
    nullable(Type.Integer({ description: 'Unix time, of seconds or parts of them' })),
  ),
  ...CHOICES,
});

/** Answer of v3-rules.md 1.2. */
export const EmulatedTraceSchema = Type.Object({
  mc_block_seqno: Type.Integer(),
  trace: TraceNodeSchema,
  transactions: Type.Record(Type.String(), TransactionSchema),
  actions: Type.Optional(Type.Array(ActionSchema)),
  code_cells: Cells,
  data_cells: Cells,
  address_book: Type.Optional(AddressBookSchema),
  metadata: Type.Optional(MetadataSchema),
  rand_seed: Hash,
  is_incomplete: Type.Boolean(),
});
export type EmulatedTraceAnswer = Static<typeof EmulatedTraceSchema>;
