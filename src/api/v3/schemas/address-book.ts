import { type Static, Type } from 'typebox';
import { nullable } from './common.ts';

export const AddressBookRowSchema = Type.Object({
  user_friendly: nullable(Type.String({ description: 'base64url, 48 characters' })),
  domain: nullable(Type.String()),
  interfaces: nullable(Type.Array(Type.String())),
});
export type AddressBookRow = Static<typeof AddressBookRowSchema>;

export const AddressBookSchema = Type.Record(Type.String(), AddressBookRowSchema);
export type AddressBook = Static<typeof AddressBookSchema>;

/** Token metadata by address: empty until the projection of contracts exists. */
export const MetadataSchema = Type.Record(Type.String(), Type.Object({}));
