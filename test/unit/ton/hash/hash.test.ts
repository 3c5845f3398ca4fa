import { createHash, randomBytes } from 'node:crypto';
import { crc32c as coreCrc32c } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../../../src/ton/hash/base64.ts';
import { crc16 } from '../../../../src/ton/hash/crc16.ts';
import { crc32c } from '../../../../src/ton/hash/crc32c.ts';
import { fromHex, toHex } from '../../../../src/ton/hash/hex.ts';
import { sha256, sha256Into } from '../../../../src/ton/hash/sha256.ts';

const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const check = ascii('123456789');

describe('checksums', () => {
  it('gives the check values of the catalogue', () => {
    expect(crc32c(check).toString(16)).toBe('e3069283');
    expect(crc16(check).toString(16)).toBe('31c3');
    expect(crc32c(new Uint8Array())).toBe(0);
  });

  it('agrees with @ton/core at every length and for a part of the bytes', () => {
    const bytes = new Uint8Array(randomBytes(200));
    for (let end = 0; end <= bytes.length; end++) {
      expect(crc32c(bytes, end)).toBe(coreCrc32c(Buffer.from(bytes.subarray(0, end))).readUInt32LE());
    }
  });
});

describe('sha256', () => {
  it('is the digest that node:crypto gives, for every length up to four blocks', () => {
    for (let length = 0; length < 256; length++) {
      const bytes = new Uint8Array(randomBytes(length));
      expect(toHex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('writes into the middle of a target and nowhere else', () => {
    const target = new Uint8Array(40).fill(7);
    sha256Into(check, target, 4);
    expect(toHex(target)).toBe(`07070707${toHex(sha256(check))}07070707`);
  });
});

describe('hex', () => {
  it('reads both cases and writes the lower one', () => {
    expect(toHex(fromHex('00aBFf')!)).toBe('00abff');
    expect(fromHex('')).toEqual(new Uint8Array());
  });

  it.each(['0', '0x00', 'zz', '00 ', ' 00', '+1', '00\n'])('refuses %j', (text) => {
    expect(fromHex(text)).toBeNull();
  });
});

describe('base64', () => {
  const bytes = Uint8Array.of(0xfb, 0xff, 0xbe, 0x01);

  it('writes either alphabet with padding', () => {
    expect(toBase64(bytes)).toBe('+/++AQ==');
    expect(toBase64(bytes, 'base64url')).toBe('-_--AQ==');
  });

  it.each(['+/++AQ==', '-_--AQ==', '+/++AQ', '-_--AQ'])('reads %s', (text) => {
    expect(fromBase64(text)).toEqual(bytes);
  });

  it.each([
    ['mixed alphabets', '+_++AQ=='],
    ['space inside', '+/++ AQ=='],
    ['line end', '+/++AQ==\n'],
    ['one padding digit of two', '+/++AQ='],
    ['too much padding', '+/++AQ==='],
    ['padding inside', '+/==AQ=='],
    ['unused bits set', '+/++AR=='],
    ['one digit left over', '+/++A'],
    ['another character', '+/++A!=='],
    ['only padding', '===='],
  ])('refuses %s', (_, text) => {
    expect(fromBase64(text)).toBeNull();
  });
});
