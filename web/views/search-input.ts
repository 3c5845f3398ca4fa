import { blockHref, toHref } from '../routes.ts';

/** What a search text can mean. A hash needs requests to know of what it is. */
export type Meaning =
  | { readonly kind: 'place'; readonly href: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'nothing'; readonly reason: string };

const EXPECTED =
  'Expected an address (EQ… or 0:…), a domain (alice.ton), a hash of a transaction, message or block (64 hex digits or base64), or the number of a masterchain block.';
const MASTERCHAIN_SHARD = '8000000000000000';

/** Reads a search text by its form. */
export function readSearch(given: string): Meaning {
  const text = given.trim();
  if (text === '') return { kind: 'nothing', reason: EXPECTED };
  const seqno = text.replace(/[\s,_]/g, '');
  if (/^\d{1,10}$/.test(seqno))
    return place(blockHref({ workchain: -1, shard: MASTERCHAIN_SHARD, seqno: Number(seqno) }));
  const block = /^\(?(-?\d{1,10})[:,]\s*([0-9a-f]{16})[:,]\s*(\d{1,10})\)?$/i.exec(text);
  if (block) return place(toHref('block', block[1] ?? '', (block[2] ?? '').toLowerCase(), block[3] ?? ''));
  if (/^-?\d{1,10}:[0-9a-f]{64}$/i.test(text)) return place(toHref('account', text));
  if (/^[A-Za-z0-9+/_-]{48}$/.test(text)) return readFriendly(text);
  if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return { kind: 'hash', hash: text.replace(/^0x/i, '') };
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return { kind: 'hash', hash: text };
  if (/^[^\s/:]+\.(ton|t\.me)$/i.test(text)) return { kind: 'domain', domain: text.toLowerCase() };
  return { kind: 'nothing', reason: `${describe(text)} ${EXPECTED}` };
}

function place(href: string): Meaning {
  return { kind: 'place', href };
}

/** What is wrong with a text that is nearly right. */
function describe(text: string): string {
  if (/^[0-9a-f]+$/i.test(text) && text.length > 40)
    return `A hash has 64 hex digits, and this has ${text.length}.`;
  if (/^[EUk0]Q/.test(text)) return `An address has 48 characters, and this has ${text.length}.`;
  if (/^-?\d+:/.test(text)) return 'After the workchain an address has 64 hex digits.';
  return 'This is none of the known forms.';
}

/** A user-friendly address ends with a checksum of its first 34 bytes (TEP-2). */
function readFriendly(text: string): Meaning {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  );
  const tag = (bytes[0] ?? 0) & 0x7f;
  if (tag !== 0x11 && tag !== 0x51)
    return {
      kind: 'nothing',
      reason: `An address begins with E, U, k or 0. ${EXPECTED}`,
    };
  if (crc16(bytes.subarray(0, 34)) !== (((bytes[34] ?? 0) << 8) | (bytes[35] ?? 0)))
    return {
      kind: 'nothing',
      reason: `The checksum of this address is wrong: a character was changed. ${EXPECTED}`,
    };
  return place(toHref('account', text.replaceAll('+', '-').replaceAll('/', '_')));
}

/** CRC16-XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
