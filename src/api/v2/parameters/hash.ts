import { Type } from 'typebox';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import { InvalidRequest } from '../errors.ts';
import type { Kind } from './kind.ts';

/**
 * The 32 bytes of a hash: 64 hex digits, 44 characters of base64 in either alphabet, or 43 of the url-safe one without
 * padding; null for any other text. A space can only be a `+` that a query did not escape.
 */
export function parseHash(text: string): Uint8Array | null {
  if (text.length === 64) return fromHex(text);
  const digits = text.replaceAll(' ', '+');
  if (digits.length === 43 && /[+/]/.test(digits)) return null;
  if (digits.length !== 44 && digits.length !== 43) return null;
  const bytes = fromBase64(digits);
  return bytes?.length === 32 ? bytes : null;
}

/** A hash of 32 bytes. */
export const HASH: Kind<Uint8Array> = {
  schema: Type.String({ description: '64 hex digits, or base64 of 32 bytes in either alphabet' }),
  parse(value, name) {
    const bytes = typeof value === 'string' ? parseHash(value) : null;
    if (bytes === null) throw new InvalidRequest(`failed to parse ${name}`);
    return bytes;
  },
};
