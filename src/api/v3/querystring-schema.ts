import { type TObject, type TSchema, Type } from 'typebox';
import type { Parameters } from '../parameters/parameter.ts';

/** The switches that every endpoint takes in its query (v3-endpoints.md 1.6). */
const SWITCHES: Readonly<Record<string, TSchema>> = {
  x_no_address_book: Type.Boolean({ description: 'Leave the address book empty.' }),
  x_no_metadata: Type.Boolean({ description: 'Leave the metadata empty.' }),
  strict: Type.Boolean({ description: 'Refuse parameters that the endpoint does not know.' }),
  x_timeout: Type.Integer({ minimum: 1, description: 'Shorter time limit of a query, milliseconds.' }),
};

/** The description of an endpoint's query: it documents; reading is done by read-parameters.ts. */
export function querystringSchema(parameters: Parameters): TObject {
  const own = Object.entries(parameters).map(
    ([name, { schema, isNeeded }]) => [name, isNeeded ? schema : Type.Optional(schema)] as const,
  );
  const shared = Object.entries(SWITCHES).map(([name, schema]) => [name, Type.Optional(schema)] as const);
  return Type.Object(Object.fromEntries([...own, ...shared]));
}
