import { Type } from 'typebox';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { fromHex } from '../../ton/hash/hex.ts';
import { type Form, readable, toText } from './form.ts';

/** A hash in the OpenAPI documents. */
export const HASH_TEXT = Type.String({
  format: 'ton-hash',
  description: '64 hex digits, or base64 of 32 bytes in either alphabet',
});

/** Spellings of a hash in addition to 64 hex digits and 44 characters of either base64. */
export interface HashSpelling {
  /** `0x` before the hex digits. */
  readonly hasPrefix?: boolean;
  /** 43 characters of the url-safe alphabet, without padding; a space is a `+` that a query did not escape. */
  readonly isTolerant?: boolean;
}

/** The 32 bytes of a hash; null for any other text. */
export function parseHash(
  text: string,
  { hasPrefix = false, isTolerant = false }: HashSpelling,
): Uint8Array | null {
  const bare = hasPrefix ? text.replace(/^0[xX](?=.{64}$)/, '') : text;
  if (bare.length === 64) return fromHex(bare);
  const digits = isTolerant ? text.replaceAll(' ', '+') : text;
  const isPadded = digits.length === 44 && digits.endsWith('=');
  const isBare = isTolerant && digits.length === 43 && !/[+/]/.test(digits);
  if (!isPadded && !isBare) return null;
  const bytes = fromBase64(digits);
  return bytes?.length === 32 ? bytes : null;
}

/** A hash of 32 bytes. */
export function hashBytes(spelling: HashSpelling): Form<Uint8Array> {
  return {
    schema: HASH_TEXT,
    read: (value) => readable(parseHash(toText(value), spelling)),
  };
}
