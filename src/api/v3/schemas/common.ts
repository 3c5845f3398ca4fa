import { Type } from 'typebox';

/*
 * Shapes of answers (v3-models.md): they document the API, and the types of the code that builds answers follow from
 * them. `null` in a union: the key is always there; Optional: the key is left out when unknown.
 */

export const Hash = Type.String({ description: 'standard base64, 44 characters' });
export const Address = Type.String({ description: 'workchain:HEX, upper case' });
export const NamedAddress = Type.String({
  description:
    'workchain:HEX, upper case; if the body names no account: addr_none, addr_extern (an external address) or addr_var (of variable length)',
});
export const Lt = Type.String({ description: 'logical time, decimal' });
export const Amount = Type.String({ description: 'smallest unit, decimal' });
export const OptionalHash = Type.Optional(Hash);
export const Suspended = Type.Boolean({ description: 'stopped by the configuration (parameter 44)' });
/** Cursor of a scan's next page; absent if there is none. */
export const NextCursor = Type.Optional(
  Type.String({
    description: 'With the parameter cursor: the cursor of the next page, absent after the last page.',
  }),
);

export const ExtraCurrencies = Type.Record(Type.String(), Type.String(), {
  description: 'currency id to amount',
});

export const BlockId = Type.Object({
  workchain: Type.Integer(),
  shard: Type.String({ description: 'upper-case hex' }),
  seqno: Type.Integer(),
});

export const ErrorSchema = Type.Object({ code: Type.Integer(), error: Type.String() });

/** A value or null. */
export function nullable<T extends Parameters<typeof Type.Union>[0][number]>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
