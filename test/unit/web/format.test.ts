import { describe, expect, it } from 'vitest';
import { groupDigits, parseDecimals, toDecimal } from '../../../web/format/amount.ts';
import { toImageAddress } from '../../../web/format/image.ts';
import { shorten, toPrintable } from '../../../web/format/text.ts';
import { toDuration, toUtc } from '../../../web/format/time.ts';

describe('amounts', () => {
  it.each([
    ['0', 9, '0'],
    ['1', 9, '0.000000001'],
    ['1500000000', 9, '1.5'],
    ['1234567890123456789012345678901234567890', 9, '1,234,567,890,123,456,789,012,345,678,901.23456789'],
    ['-25', 1, '−2.5'],
    ['1000', 0, '1,000'],
  ])('%s with %i decimals', (units, decimals, text) => {
    expect(toDecimal(units, decimals)).toBe(text);
  });

  it.each([
    ['6', 6],
    ['0', 0],
    [undefined, 9],
    ['-1', 9],
    ['1e9', 9],
    ['999', 9],
    [{}, 9],
  ])('%s are declared decimals', (text, decimals) => {
    expect(parseDecimals(text)).toBe(decimals);
  });

  it('groups digits by three', () => {
    expect(['1', '123', '1234', '1234567'].map(groupDigits)).toEqual(['1', '123', '1,234', '1,234,567']);
  });
});

describe('text from the chain', () => {
  it.each([
    ['a right-to-left override', 'gpj\u202eexe', 'gpj\\u202eexe'],
    ['an invisible space', 'US\u200bDT', 'US\\u200bDT'],
    ['a control character', 'a\u0007\u009bb', 'a\\u0007\\u009bb'],
    ['a tag character', 'a\u{e0041}', 'a\\ue0041'],
    ['emoji and lines', '👩‍🚀\n😀', '👩‍🚀\n😀'],
    ['markup', '<b>&amp;</b>', '<b>&amp;</b>'],
  ])('%s', (_name, text, shown) => {
    expect(toPrintable(text)).toBe(shown);
  });

  it('is cut', () => {
    expect(toPrintable('abcdef', 3)).toBe('abc…');
    expect(shorten('0123456789abcdef', 4, 4)).toBe('0123…cdef');
  });
});

describe('times', () => {
  it('a duration has its largest unit', () => {
    expect([-1, 0.4, 59, 60, 3_599, 7_200, 200_000].map(toDuration)).toEqual([
      '0 s',
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '2 h',
      '2 d',
    ]);
  });

  it('a time is in UTC, and a number that is none is shown', () => {
    expect(toUtc(0)).toBe('1970-01-01 00:00:00');
    expect(toUtc(1e20)).toBe('100000000000000000000');
  });
});

describe('addresses of images', () => {
  const BASE = 'https://img.example/proxy/';
  it('are those of the image proxy', () => {
    expect(toImageAddress(`${BASE}sig/pr:small/aHR0`, BASE)).toBe(`${BASE}sig/pr:small/aHR0`);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'https://evil.example/a.png',
    'https://img.example.evil.example/proxy/a.png',
    'https://img.example/other/a.png',
    'https://img.example/proxy/../other/a.png',
    'https://img.example/proxy/%2e%2e/other/a.png',
    'https://img.example/proxy\\..\\..\\a.png',
    'https://user@evil.example/https://img.example/proxy/a.png',
    '//evil.example/a.png',
    'a.png',
    '',
    null,
    7,
  ])('are no others: %s', (text) => {
    expect(toImageAddress(text, BASE)).toBeNull();
  });

  it('are none without a proxy', () => {
    expect(toImageAddress(`${BASE}a`, null)).toBeNull();
  });
});
