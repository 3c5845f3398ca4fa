import { describe, expect, it } from 'vitest';
import { findParameters, isNumeric, toSqlUrl, toTimeSeries } from '../../../web/views/questions/sql.ts';

const TIMES = [
  { name: 'hour', type: "Nullable(DateTime('UTC'))" },
  { name: 'transactions', type: 'UInt64' },
];

describe('statements', () => {
  it('are sent with the user who can only read, and with the values of parameters', () => {
    const values = { from: '2026-01-01' };
    const url = new URL(toSqlUrl('SELECT {from:Date}', 'CSVWithNames', values), 'http://localhost');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      user: 'analyst',
      query: 'SELECT {from:Date}\nFORMAT CSVWithNames',
      param_from: '2026-01-01',
    });
  });

  it('name each parameter once', () => {
    expect(findParameters('{from:Date} {to:Date} {from:Date} {}')).toEqual(['from', 'to']);
  });

  it('an answer by time is drawn in UTC, by its first figure', () => {
    const data = [
      ['1970-01-01 00:00:00', 5],
      ['1970-01-01 01:00:00', '7'],
    ];
    expect(toTimeSeries({ meta: TIMES, data })).toEqual([
      [0, 3_600],
      [5, 7],
    ]);
    const meta = [{ name: 'day', type: 'Date' }, { name: 'name', type: 'String' }, TIMES[1]!];
    const days = [
      ['1970-01-02', 'a', 1],
      ['1970-01-03', 'b', 2],
    ];
    expect(toTimeSeries({ meta, data: days })).toEqual([
      [86_400, 172_800],
      [1, 2],
    ]);
  });

  it('other answers, single rows and repeated times are no line', () => {
    expect(toTimeSeries({ meta: TIMES, data: [['1970-01-01 00:00:00', 5]] })).toBeNull();
    const twice = [
      ['1970-01-01 00:00:00', 5],
      ['1970-01-01 00:00:00', 6],
    ];
    expect(toTimeSeries({ meta: TIMES, data: twice })).toBeNull();
    const numbers = [
      [1, 2],
      [3, 4],
    ];
    expect(toTimeSeries({ meta: [TIMES[1]!, TIMES[1]!], data: numbers })).toBeNull();
    expect(toTimeSeries({ meta: [], data: [] })).toBeNull();
  });

  it.each([
    ['UInt64', true],
    ['Nullable(Float64)', true],
    ['Decimal(38, 0)', true],
    ['String', false],
    ['Array(Int32)', false],
  ])('the type %s is a number: %s', (type, is) => {
    expect(isNumeric(type)).toBe(is);
  });
});
