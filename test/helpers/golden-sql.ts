import { expect } from 'vitest';
import { ACCOUNT_STATE_SELECT } from '../../src/api/entities/accounts/model.ts';
import { BLOCK_SELECT } from '../../src/api/entities/blocks/model.ts';
import { MESSAGE_SELECT } from '../../src/api/entities/messages/payload.ts';
import { TRANSACTION_SELECT } from '../../src/api/entities/transactions/model.ts';
import { type Sql, type Statement, unsafeSql } from '../../src/api/query/sql.ts';

/**
 * A statement for a golden file: column lists are abbreviated, a clause a line, parameters as their type and value, bytes
 * as hex digits. Each parameter is used.
 */
export function goldenSql(statement: Sql): string {
  const { sql, params } = abbreviated(statement);
  const text = hexLiterals(sql)
    .replace(/ (FROM|WHERE|AND|ORDER BY|LIMIT|UNION ALL|GROUP BY) /g, '\n$1 ')
    .replace(
      /\{(\w+):([\w()]+|Array\(Tuple\([\w, ]+\)\))\}/g,
      (_, name, type) => `{${type} ${JSON.stringify(params[name])}}`,
    );
  const unbound = [...sql.matchAll(/\{(\w+):/g)].map((match) => match[1] as string);
  expect(unbound.filter((name) => !(name in params))).toEqual([]);
  expect(Object.keys(params).filter((name) => !unbound.includes(name))).toEqual([]);
  return `${text}\n`;
}

/** A statement whose literals of bytes are hex digits. */
export function hexLiterals(sql: string): string {
  return sql.replace(
    /'((?:\\x[0-9a-f]{2})+)'/g,
    (_, bytes: string) => `unhex('${bytes.replaceAll('\\x', '').toUpperCase()}')`,
  );
}

function abbreviated(statement: Sql): Statement {
  const lists: readonly (readonly [Sql, string])[] = [
    [BLOCK_SELECT, '<block columns>'],
    [ACCOUNT_STATE_SELECT, '<state columns>'],
    [TRANSACTION_SELECT, '<transaction columns>'],
    [MESSAGE_SELECT, '<message payload>'],
  ];
  const replaced = lists.reduce((short, [list, name]) => short.replace(list, unsafeSql(name)), statement);
  return replaced.render(null);
}
