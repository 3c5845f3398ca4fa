import { describe, expect, it } from 'vitest';
import { inlineIntegers } from '../../../../src/platform/clickhouse/statement-parameters.ts';

describe('integers of a statement', () => {
  it('are in its text, negative ones in brackets', () => {
    const sql = 'a = {a:UInt64} AND b -{b:Int32} LIMIT {n:UInt32}';
    expect(inlineIntegers(sql, { a: '18446744073709551615', b: -1, n: 10 })).toEqual({
      sql: 'a = 18446744073709551615 AND b -(-1) LIMIT 10',
      params: {},
    });
  });

  it('stay parameters if they are ambiguous, have another type, or are used elsewhere too', () => {
    const sql = '{a:UInt32} {s:String} {l:Array(UInt64)} {b:UInt8} {b:String}';
    const params = { a: '1 OR 1', s: '7', l: [1, 2], b: 5 };
    expect(inlineIntegers(sql, params)).toEqual({
      sql: '{a:UInt32} {s:String} {l:Array(UInt64)} 5 {b:String}',
      params,
    });
  });
});
