import { Type } from 'typebox';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import type { JsonValue } from '../../http/json-source.ts';
import { address } from '../../parameters/address.ts';
import { bagOfCells } from '../../parameters/boc.ts';
import { boolean } from '../../parameters/boolean.ts';
import { type Form, readable, toText, ValueError } from '../../parameters/form.ts';
import { int32 } from '../../parameters/integer.ts';

/** The fields of a request's body, JSON or form. */
export type PostBody = Readonly<Record<string, unknown>>;

const TEXT: Form<string> = { schema: Type.String(), read: toText };
const BOC = bagOfCells();
const ADDRESS = address();
const SEQNO = int32({ sign: 'positive' });
const FLAG = boolean({ yes: new Set(['true', '1']), no: new Set(['false', '0', '']), isExact: true });

/** An address as messages have it, with a workchain of eight bits. */
const MESSAGE_ADDRESS: Form<AccountAddress> = {
  schema: ADDRESS.schema,
  read(value) {
    const { workchain, hash } = ADDRESS.read(value);
    return readable(workchain === (workchain << 24) >> 24 ? { workchain, address: hash } : null);
  },
};

/** The value of a field; null if it is missing or empty. @throws HttpError 422 */
function optionalField<T>(body: PostBody, name: string, form: Form<T>): T | null {
  const value = body[name];
  if (value === undefined || value === null || value === '') return null;
  try {
    return form.read(value as JsonValue);
  } catch (error) {
    if (error instanceof ValueError) throw unreadable(name);
    throw error;
  }
}

/** A field that is missing is 401, not 422: these routes are older than the others (v3-quirks.md 3). */
function requiredField<T>(body: PostBody, name: string, form: Form<T>, missing = `${name} is required`): T {
  const value = optionalField(body, name, form);
  if (value === null) throw new HttpError(401, missing);
  return value;
}

/** @throws HttpError */
export function requiredText(body: PostBody, name: string): string {
  return requiredField(body, name, TEXT);
}

/** @throws HttpError */
export function readAddress(body: PostBody): AccountAddress {
  return requiredField(body, 'address', MESSAGE_ADDRESS);
}

/** A bag of cells as bytes; what it holds is looked at later. @throws HttpError */
export function readBoc(body: PostBody, name: string): Uint8Array {
  return requiredField(body, name, BOC);
}

/** Like `readBoc`; null if there is none. @throws HttpError */
export function readOptionalBoc(body: PostBody, name: string): Uint8Array | null {
  return optionalField(body, name, BOC);
}

/** A truth value, as text in forms; false if it is absent. @throws HttpError */
export function readBoolean(body: PostBody, name: string): boolean {
  return optionalField(body, name, FLAG) ?? false;
}

/** The number of a block; null if it is absent. @throws HttpError */
export function readSeqno(body: PostBody): number | null {
  return optionalField(body, 'seqno', SEQNO);
}

/** @throws HttpError 422 */
export function unreadable(name: string): HttpError {
  return new HttpError(422, `failed to decode: error converting value for "${name}"`);
}
