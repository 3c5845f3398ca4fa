import { type Static, Type } from 'typebox';
import { DescribedPage } from './address-book.ts';
import { Address, Amount, ExtraCurrencies, Hash, Lt, nullable, OptionalHash } from './common.ts';

export const MessageContentSchema = Type.Object({
  hash: nullable(Hash),
  body: nullable(Type.String({ description: 'bag of cells, base64' })),
  decoded: nullable(Type.Object({})),
});
export type MessageContentAnswer = Static<typeof MessageContentSchema>;

export const MessageSchema = Type.Object({
  hash: Hash,
  source: nullable(Address),
  destination: nullable(Address),
  value: nullable(Amount),
  value_extra_currencies: nullable(ExtraCurrencies),
  fwd_fee: nullable(Amount),
  ihr_fee: nullable(Amount),
  extra_flags: nullable(Type.String()),
  created_lt: nullable(Lt),
  created_at: nullable(Type.String({ description: 'Unix seconds, decimal' })),
  opcode: nullable(Type.String({ description: '0x and 8 hex digits' })),
  decoded_opcode: nullable(Type.String()),
  ihr_disabled: nullable(Type.Boolean()),
  bounce: nullable(Type.Boolean()),
  bounced: nullable(Type.Boolean()),
  import_fee: nullable(Amount),
  in_msg_tx_hash: OptionalHash,
  out_msg_tx_hash: OptionalHash,
  message_content: nullable(MessageContentSchema),
  init_state: nullable(MessageContentSchema),
  hash_norm: OptionalHash,
});
export type MessageAnswer = Static<typeof MessageSchema>;

export const MessagesSchema = Type.Object({
  messages: Type.Array(MessageSchema),
  ...DescribedPage,
});
export type MessagesAnswer = Static<typeof MessagesSchema>;
