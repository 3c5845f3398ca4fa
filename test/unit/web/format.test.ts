import { describe, expect, it } from 'vitest';
import { groupDigits, parseDecimals, toDecimal } from '../../../web/format/amount.ts';
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
