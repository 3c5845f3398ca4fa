import { describe, expect, it } from 'vitest';
import { JsonTextError, parseJson } from '../../../../src/api/http/json-source.ts';

describe('parseJson', () => {
  it('takes integers beyond 2^53 from the text', () => {
    const text = '{"shard":-9223372036854775808,"lt":36905041000001,"deep":[{"lt":9007199254740993}]}';
    expect(parseJson(text)).toEqual({
      shard: -9223372036854775808n,
      lt: 36905041000001,
      deep: [{ lt: 9007199254740993n }],
    });
  });

  it('does not change text that is no integer', () => {
    expect(parseJson('[1.5, 1e400, "9007199254740993", true, null]')).toEqual([
      1.5,
      Number.POSITIVE_INFINITY,
      '9007199254740993',
      true,
      null,
    ]);
  });

  it.each(['', '{', '{"a":01}', 'undefined', '['.repeat(200_000) + ']'.repeat(200_000)])(
    'refuses %.12s with an error of its own',
    (text) => {
      expect(() => parseJson(text)).toThrow(JsonTextError);
    },
  );

  it('gives a key named __proto__ no effect', () => {
    const parsed = parseJson('{"__proto__":{"address":"x"}}') as object;
    expect('address' in parsed).toBe(false);
  });
});
