import { fromBase64, toBase64 } from '../hash/base64.ts';
import { crc16 } from '../hash/crc16.ts';
import { fromHex } from '../hash/hex.ts';

/** A standard address (`addr_std` without anycast) as text gives it. */
export interface ParsedAddress {
  /** Signed 32-bit in the raw form, signed 8-bit in the friendly one. */
  readonly workchain: number;
  /** The account id, 32 bytes. */
  readonly hash: Uint8Array;
  readonly form: 'raw' | 'friendly';
  /** Friendly form only: the flags of the tag and the base64 alphabet (true if the text fits both alphabets). */
  readonly bounceable?: boolean;
  readonly testOnly?: boolean;
  readonly urlSafe?: boolean;
}

/** Flags of the friendly form. */
export interface FriendlyFlags {
  readonly bounceable: boolean;
  readonly testOnly: boolean;
  /** Default true. */
  readonly urlSafe?: boolean;
}

/** Not an address that can be written in the form asked for. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly field: 'workchain' | 'hash';
  readonly expected: string;
  readonly found: number;

  constructor(field: 'workchain' | 'hash', expected: string, found: number) {
    super(`address: ${field} must be ${expected}, found ${found}`);
    this.field = field;
    this.expected = expected;
    this.found = found;
  }
}

const TAG_BOUNCEABLE = 0x11;
const TAG_NON_BOUNCEABLE = 0x51;
const FLAG_TEST_ONLY = 0x80;
const FRIENDLY_BYTES = 36;
const FRIENDLY_CHARS = 48;
const HASH_HEX = 64;
const MIN_INT32 = -0x80000000;
const MAX_INT32 = 0x7fffffff;

/**
 * Reads an address in raw form (`workchain:hex`, either case, all 64 digits) or friendly form. The friendly form is 48
 * base64 digits of tag, workchain, hash and CRC16, in one of the two alphabets. Returns null for any other text,
 * including text with surrounding spaces. Source: TEP-2 and the v2 contract, "Addresses in".
 */
export function parseAddress(text: string): ParsedAddress | null {
  return text.includes(':') ? parseRaw(text) : parseFriendly(text);
}

/** Decimal without plus sign, space or leading zeros; `-0` is none. */
function parseWorkchain(text: string): number | null {
  const value = Number(text);
  if (!Number.isInteger(value) || String(value) !== text) return null;
  return value < MIN_INT32 || value > MAX_INT32 ? null : value;
}

function parseRaw(text: string): ParsedAddress | null {
  const colon = text.indexOf(':');
  const workchain = parseWorkchain(text.slice(0, colon));
  if (workchain === null || text.length - colon - 1 !== HASH_HEX) return null;
  const hash = fromHex(text.slice(colon + 1));
  return hash === null ? null : { workchain, hash, form: 'raw' };
}

function parseFriendly(text: string): ParsedAddress | null {
  if (text.length !== FRIENDLY_CHARS) return null;
  const bytes = fromBase64(text);
  if (bytes === null || bytes.length !== FRIENDLY_BYTES) return null;
  if (crc16(bytes, 34) !== ((bytes[34]! << 8) | bytes[35]!)) return null;
  const tag = bytes[0]! & ~FLAG_TEST_ONLY;
  if (tag !== TAG_BOUNCEABLE && tag !== TAG_NON_BOUNCEABLE) return null;
  return {
    workchain: (bytes[1]! << 24) >> 24,
    hash: bytes.slice(2, 34),
    form: 'friendly',
    bounceable: tag === TAG_BOUNCEABLE,
    testOnly: (bytes[0]! & FLAG_TEST_ONLY) !== 0,
    urlSafe: !text.includes('+') && !text.includes('/'),
  };
}

function checkHash(hash: Uint8Array): void {
  if (hash.length !== 32) throw new AddressError('hash', '32 bytes', hash.length);
}

/**
 * `workchain:HASH`. Upper-case hex, as TON Center v3 shows addresses, unless `upper` is false.
 * @throws AddressError
 */
export function formatRaw(workchain: number, hash: Uint8Array, upper = true): string {
  checkHash(hash);
  if (!Number.isInteger(workchain) || workchain < MIN_INT32 || workchain > MAX_INT32) {
    throw new AddressError('workchain', 'a signed 32-bit number', workchain);
  }
  const text = `${workchain}:${hash.toHex()}`;
  // On the whole text: one that was put together of pieces becomes one piece, which JSON.stringify writes faster.
  return upper ? text.toUpperCase() : text;
}

/**
 * The friendly form, 48 characters.
 * @throws AddressError: a workchain outside -128…127 has no friendly form
 */
export function formatFriendly(workchain: number, hash: Uint8Array, flags: FriendlyFlags): string {
  checkHash(hash);
  if (!Number.isInteger(workchain) || workchain < -128 || workchain > 127) {
    throw new AddressError('workchain', '-128 to 127', workchain);
  }
  const bytes = new Uint8Array(FRIENDLY_BYTES);
  bytes[0] = (flags.bounceable ? TAG_BOUNCEABLE : TAG_NON_BOUNCEABLE) | (flags.testOnly ? FLAG_TEST_ONLY : 0);
  bytes[1] = workchain;
  bytes.set(hash, 2);
  const crc = crc16(bytes, 34);
  bytes[34] = crc >> 8;
  bytes[35] = crc;
  return toBase64(bytes, flags.urlSafe === false ? 'base64' : 'base64url');
}
