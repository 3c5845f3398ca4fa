import type { TSchema } from 'typebox';
import { parseAddress } from '../../ton/address/address.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Caller } from '../caller.ts';
import { HttpError } from '../http/http-error.ts';
import type { ReadScope } from '../read/read-scope.ts';
import type { ServeContext } from '../serve-context.ts';

/** The fields of a request's body, JSON or form. */
export type PostBody = Readonly<Record<string, unknown>>;

/** One POST route below /api/v3. */
export interface PostEndpoint {
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** It sends a message: pages that may only read are refused. */
  readonly sends?: true;
  /** For the OpenAPI document; fields are read by the functions below. */
  readonly body: TSchema;
  /** Shape of a 200 answer. */
  readonly answer: TSchema;
  /**
   * `scope` is null while nothing is indexed.
   * @throws HttpError
   */
  handle(context: ServeContext, scope: ReadScope | null, body: PostBody, caller: Caller): Promise<unknown>;
}

/**
 * A text field. Missing is 401, not 422: these routes are older than the others (v3-quirks.md 3).
 * @throws HttpError
 */
export function requiredText(body: PostBody, name: string, missing = `${name} is required`): string {
  const value = body[name];
  if (value === undefined || value === null || value === '') throw new HttpError(401, missing);
  if (typeof value !== 'string') throw unreadable(name);
  return value;
}

/** @throws HttpError */
export function addressOf(body: PostBody, missing?: string): AccountAddress {
  const parsed = parseAddress(requiredText(body, 'address', missing));
  if (!parsed || parsed.workchain !== (parsed.workchain << 24) >> 24) throw unreadable('address');
  return { workchain: parsed.workchain, address: parsed.hash };
}

/** A bag of cells as bytes; what it holds is looked at later. @throws HttpError */
export function bocOf(body: PostBody, name: string): Uint8Array {
  return decode(requiredText(body, name), name);
}

/** As `bocOf`; null where there is none. @throws HttpError */
export function optionalBocOf(body: PostBody, name: string): Uint8Array | null {
  const value = body[name];
  return value === undefined || value === null || value === '' ? null : bocOf(body, name);
}

/** A truth value, as text in forms; false where it is absent. @throws HttpError */
export function booleanOf(body: PostBody, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0' || value === '') return false;
  throw unreadable(name);
}

export function unreadable(name: string): HttpError {
  return new HttpError(422, `failed to decode: error converting value for "${name}"`);
}

function decode(text: string, name: string): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes === null) throw unreadable(name);
  return bytes;
}
