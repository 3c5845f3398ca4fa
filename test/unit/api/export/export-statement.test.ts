import { describe, expect, it } from 'vitest';
import { addressColumns, selectDays, selectRows } from '../../../../src/api/export/export-statement.ts';
import { readLakeViews } from '../../../../src/cli/compose/lake.ts';

const TABLE = {
  qualified: 'ton.messages',
  name: 'messages',
  columns: ['tx_hash', 'source', 'body_boc', 'block_date'],
  isSnapshot: false,
  projections: ['base'],
};
const ALL = { columns: [], accounts: [] };

describe('statements of exports', () => {
  it('select the rows of a day without its date, and raw bytes as base64', () => {
    expect(selectRows(TABLE, ALL, '2026-11-28')).toEqual({
      sql: 'SELECT `tx_hash`, `source`, base64Encode(body_boc) AS body_boc FROM ton.messages WHERE block_date = {day:Date}',
      params: { day: '2026-11-28' },
    });
    expect(selectRows(TABLE, { ...ALL, columns: ['tx_hash'] }, null).sql).toBe(
      'SELECT `tx_hash` FROM ton.messages WHERE block_date IS NULL',
    );
  });

  it('select all rows with the date, bounded by days and accounts', () => {
    const choice = {
      columns: ['tx_hash', 'block_date'],
      accounts: ['0:A'],
      from: '2026-11-01',
      to: '2026-11-02',
    };
    expect(selectRows(TABLE, choice)).toEqual({
      sql: 'SELECT `tx_hash`, `block_date` FROM ton.messages WHERE block_date >= {from:Date} AND block_date <= {to:Date} AND (source IN {accounts:Array(String)})',
      params: { from: '2026-11-01', to: '2026-11-02', accounts: ['0:A'] },
    });
  });

  it('refuse what a table does not have', () => {
    const snapshot = { ...TABLE, isSnapshot: true };
    expect(() => selectDays(snapshot, { ...ALL, from: '2026-11-01' })).toThrow(/current states only/);
    const plain = { ...TABLE, columns: ['tx_hash'] };
    expect(() => selectRows(plain, { ...ALL, accounts: ['0:A'] })).toThrow(/no column with addresses/);
    expect(() => selectRows(TABLE, { ...ALL, columns: ['block_date'] }, '2026-11-28')).toThrow(
      /another|other than/,
    );
  });
});

it('columns with addresses are those whose expression builds a raw address', () => {
  const wrong: string[] = [];
  for (const view of readLakeViews()) {
    const columns = view.columns.map(({ name }) => name);
    const known = addressColumns({ columns });
    for (const column of columns) {
      const line = view.select.split('\n').find((one) => one.endsWith(` AS ${column},`)) ?? '';
      if (line.includes("':', hex(") && !known.includes(column)) wrong.push(`${view.name}.${column}`);
    }
  }
  expect(wrong).toEqual([]);
});
