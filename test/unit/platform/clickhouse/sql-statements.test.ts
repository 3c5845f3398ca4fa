import { describe, expect, it } from 'vitest';
import {
  SqlTextError,
  splitStatements,
} from '../../../../src/platform/clickhouse/migrations/sql-statements.ts';

describe('splitStatements', () => {
  it.each<[string, string, string[]]>([
    ['statements, the last without its end', 'A;\nB;\n C ', ['A', 'B', 'C']],
    ['no statement', ' \n-- nothing here;\n;;', []],
    ['a ; in a comment', '-- a; b\nA -- c; d\n;B', ['A', 'B']],
    ['a ; in a block comment', 'A /* x; -- y */ B; C', ['A  B', 'C']],
    ['a ; in quotes of each kind', `A ';' B; C "x;y" \`z;\`;`, ["A ';' B", 'C "x;y" `z;`']],
    [
      'quotes within quotes',
      `A 'it\\'s; "no" end'; B 'two '' quotes;'`,
      [`A 'it\\'s; "no" end'`, `B 'two '' quotes;'`],
    ],
    ['a comment sign in a text', "A '-- no comment'; B", ["A '-- no comment'", 'B']],
  ])('%s', (_, sql, expected) => {
    expect(splitStatements(sql)).toEqual(expected);
  });

  it.each([["A 'open"], ['A /* open']])('refuses %s', (sql) => {
    expect(() => splitStatements(sql)).toThrow(SqlTextError);
  });
});
