import { describe, expect, it } from 'vitest';
import { isNumeric, QUESTIONS, toSqlUrl, toTimeSeries } from '../../../web/views/questions/questions.ts';

const TIMES = [
  { name: 'hour', type: "Nullable(DateTime('UTC'))" },
  { name: 'transactions', type: 'UInt64' },
];

describe('questions', () => {
  it('have different ids, and statements that end without a format', () => {
    expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(QUESTIONS.length);
    for (const { sql } of QUESTIONS) expect(sql).not.toMatch(/FORMAT|;\s*$/);
  });

  it('are sent with the user who can only read', () => {
    const url = new URL(toSqlUrl('SELECT 1', 'CSVWithNames'), 'http://localhost');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      user: 'analyst',
      query: 'SELECT 1\nFORMAT CSVWithNames',
    });
  });

  it('an answer by time is drawn in UTC', () => {
    const data = [
      ['1970-01-01 00:00:00', 5],
      ['1970-01-01 01:00:00', '7'],
    ];
    expect(toTimeSeries({ meta: TIMES, data })).toEqual([
      [0, 3_600],
      [5, 7],
    ]);
    const days = [{ name: 'day', type: 'Date' }, TIMES[1]!];
    expect(
      toTimeSeries({
        meta: days,
        data: [
          ['1970-01-02', 1],
          ['1970-01-03', 2],
        ],
      })?.[0],
    ).toEqual([86_400, 172_800]);
  });

  it('other answers, and single rows, are no line', () => {
    expect(toTimeSeries({ meta: TIMES, data: [['1970-01-01 00:00:00', 5]] })).toBeNull();
    expect(
      toTimeSeries({
        meta: [TIMES[1]!, TIMES[1]!],
        data: [
          [1, 2],
          [3, 4],
        ],
      }),
    ).toBeNull();
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
