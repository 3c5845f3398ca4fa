import { describe, expect, it } from 'vitest';
import { readExportOptions } from '../../../src/cli/export-options.ts';

const read = (flags: Record<string, unknown>) => readExportOptions('blocks', { account: [], ...flags });

describe('options of an export', () => {
  it.each([
    ['-', 'stdout', 'Parquet'],
    ['lake', 'folder', 'Parquet'],
    ['a/blocks.csv', 'file', 'CSVWithNames'],
    ['blocks.ndjson', 'file', 'JSONEachRow'],
  ])('--out %s is a %s in %s', (out, kind, format) => {
    const { target, request } = read({ out });
    expect([target.kind, request.format.clickhouse]).toEqual([kind, format]);
  });

  it('--format decides before the name of the file', () => {
    expect(read({ out: 'a.csv', format: 'arrow' }).request.format.clickhouse).toBe('Arrow');
  });

  it('reads columns, days and accounts in any form', () => {
    const account = ['0QA8MG9MJukjyDMqxnxFMh0isAJLqSr9C7CH7i_gk-4OKH59'];
    const { choice } = read({ out: '-', columns: 'seqno, shard', from: '2026-02-28', account }).request;
    expect(choice).toEqual({
      columns: ['seqno', 'shard'],
      accounts: ['0:3C306F4C26E923C8332AC67C45321D22B0024BA92AFD0BB087EE2FE093EE0E28'],
      from: '2026-02-28',
      to: undefined,
    });
  });

  it.each([
    [{ out: 'x', format: 'xls' }, /--format.*parquet, arrow, csv, ndjson/],
    [{ out: 'x', from: '2026-02-30' }, /--from.*YYYY-MM-DD/],
    [{ out: 'x', to: '1.2.2026' }, /--to/],
    [{ out: 'x', account: ['me'] }, /--account/],
    [{ out: '-', follow: true }, /--follow/],
    [{ out: 'ftp://host/x' }, /--out/],
  ])('refuses %j', (flags, text) => {
    expect(() => read(flags)).toThrow(text);
  });
});
