import { randomBytes } from 'node:crypto';
import { Address } from '@ton/core';
import { describe, expect, it } from 'vitest';
import {
  AddressError,
  formatFriendly,
  formatRaw,
  parseAddress,
} from '../../../../src/ton/address/address.ts';
import { toBase64 } from '../../../../src/ton/hash/base64.ts';
import { crc16 } from '../../../../src/ton/hash/crc16.ts';

const ID = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const hash = new Uint8Array(Buffer.from(ID, 'hex'));

/** 36 bytes with a right checksum, whatever the tag. */
function friendly(tag: number, workchain = 0): string {
  const bytes = new Uint8Array(36);
  bytes[0] = tag;
  bytes[1] = workchain;
  bytes.set(hash, 2);
  const crc = crc16(bytes, 34);
  bytes[34] = crc >> 8;
  bytes[35] = crc;
  return toBase64(bytes, 'base64url');
}

describe('raw addresses', () => {
  it('reads any letter case and any signed 32-bit workchain', () => {
    expect(parseAddress(`0:${ID.toUpperCase()}`)).toEqual({ workchain: 0, hash, form: 'raw' });
    expect(parseAddress(`-1:${ID}`)?.workchain).toBe(-1);
    expect(parseAddress(`-2147483648:${ID}`)?.workchain).toBe(-2147483648);
    expect(parseAddress(`2147483647:${ID}`)?.workchain).toBe(2147483647);
  });

  it.each([
    `${ID}`,
    `:${ID}`,
    `+1:${ID}`,
    `-0:${ID}`,
    `00:${ID}`,
    ` 0:${ID}`,
    `1.5:${ID}`,
    `1e1:${ID}`,
    `0x1:${ID}`,
    `2147483648:${ID}`,
    `-2147483649:${ID}`,
    `NaN:${ID}`,
    `0:${ID} `,
    `0:${ID.slice(1)}`,
    `0:${ID.slice(2)}`,
    `0:${ID}00`,
    `0:z${ID.slice(1)}`,
    `0::${ID.slice(1)}`,
    ':',
    '',
  ])('refuses %j', (text) => expect(parseAddress(text)).toBeNull());

  it('writes upper case unless told otherwise', () => {
    expect(formatRaw(-1, hash)).toBe(`-1:${ID.toUpperCase()}`);
    expect(formatRaw(0, hash, false)).toBe(`0:${ID}`);
  });
});

describe('friendly addresses', () => {
  it('reads and writes what @ton/core does, with every combination of flags', () => {
    for (let round = 0; round < 50; round++) {
      const id = new Uint8Array(randomBytes(32));
      const workchain = [0, -1, 127, -128][round % 4]!;
      for (const flags of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const [bounceable, testOnly, urlSafe] = [!!(flags & 1), !!(flags & 2), !!(flags & 4)];
        const text = new Address(workchain, Buffer.from(id)).toString({ bounceable, testOnly, urlSafe });
        expect(formatFriendly(workchain, id, { bounceable, testOnly, urlSafe })).toBe(text);
        const parsed = parseAddress(text);
        expect(parsed).toMatchObject({ workchain, hash: id, form: 'friendly', bounceable, testOnly });
        // A text without special digits fits both alphabets, and counts as URL-safe.
        expect(parsed?.urlSafe).toBe(urlSafe || !/[+/]/.test(text));
      }
    }
  });

  it('is URL-safe by default', () => {
    const id = new Uint8Array(32).fill(0xfb);
    const flags = { bounceable: true, testOnly: false };
    expect(formatFriendly(0, id, flags)).toBe(formatFriendly(0, id, { ...flags, urlSafe: true }));
    expect(formatFriendly(0, id, flags)).not.toBe(formatFriendly(0, id, { ...flags, urlSafe: false }));
  });

  it('refuses an address with any one character changed', () => {
    const text = friendly(0x11);
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
      expect(parseAddress(changed), `character ${at}`).toBeNull();
    }
  });

  it('knows four tags', () => {
    const known = Array.from({ length: 256 }, (_, tag) => tag).filter((tag) => parseAddress(friendly(tag)));
    expect(known).toEqual([0x11, 0x51, 0x91, 0xd1]);
  });

  it('refuses other lengths, spaces and mixed alphabets', () => {
    const special = formatFriendly(0, new Uint8Array(32).fill(0xfb), { bounceable: true, testOnly: false });
    expect(special).toMatch(/-/);
    expect(parseAddress(special)).not.toBeNull();
    expect(parseAddress(special.replace('-', '+'))).toBeNull();
    expect(parseAddress(special.replaceAll('-', '+').replaceAll('_', '/'))).not.toBeNull();
    const text = friendly(0x51);
    for (const wrong of [
      text.slice(1),
      `${text}A`,
      ` ${text}`,
      `${text} `,
      `${text.slice(0, 47)} `,
      `${text}=`,
    ]) {
      expect(parseAddress(wrong), wrong).toBeNull();
    }
  });
});

describe('addresses that cannot be written', () => {
  it('says which field is wrong', () => {
    const flags = { bounceable: true, testOnly: false };
    expect(() => formatFriendly(128, hash, flags)).toThrow(AddressError);
    expect(() => formatFriendly(0.5, hash, flags)).toThrow(AddressError);
    expect(() => formatRaw(2 ** 31, hash)).toThrow(AddressError);
    expect(() => formatRaw(0, hash.subarray(1))).toThrow(
      expect.objectContaining({ field: 'hash', found: 31 }),
    );
  });
});
