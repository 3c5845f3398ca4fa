import { type Static, Type } from 'typebox';
import { NextCursor, nullable } from './common.ts';

export const AddressBookRowSchema = Type.Object({
  user_friendly: nullable(Type.String({ description: 'base64url, 48 characters' })),
  domain: nullable(Type.String()),
  interfaces: nullable(Type.Array(Type.String())),
});
export type AddressBookRow = Static<typeof AddressBookRowSchema>;

export const AddressBookSchema = Type.Record(Type.String(), AddressBookRowSchema);
export type AddressBook = Static<typeof AddressBookSchema>;

const Text = Type.Optional(Type.String());

/** One role of a token contract. Without `valid` its content is not fetched. */
export const TokenInfoSchema = Type.Object({
  valid: Type.Optional(Type.Boolean()),
  type: Text,
  name: Text,
  symbol: Text,
  description: Text,
  image: Text,
  nft_index: Text,
  is_nsfw: Type.Optional(Type.Boolean()),
  is_scam: Type.Optional(Type.Boolean()),
  extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type TokenInfo = Static<typeof TokenInfoSchema>;

/** Token metadata by raw address, only of token contracts. */
export const MetadataSchema = Type.Record(
  Type.String(),
  Type.Object({ is_indexed: Type.Boolean(), token_info: Type.Array(TokenInfoSchema) }),
);
export type Metadata = Static<typeof MetadataSchema>;

/** Names and metadata of the addresses of an answer. */
export const Described = { address_book: AddressBookSchema, metadata: MetadataSchema };
/** What comes after the rows of a page, without and with metadata. */
export const Page = { address_book: AddressBookSchema, next_cursor: NextCursor };
export const DescribedPage = { ...Described, next_cursor: NextCursor };
