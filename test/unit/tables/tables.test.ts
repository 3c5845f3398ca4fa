import { describe, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { BASE_TABLE_VALUES, BASE_TABLES } from '../../../src/tables/base-tables.ts';
import { MESSAGE_TARGETS } from '../../../src/tables/messages.ts';
import { newestVersion, type Table } from '../../../src/tables/table.ts';
import { TOKEN_STATES, TOKEN_TARGETS, TOKENS_LATEST } from '../../../src/tables/token-states.ts';
import { TOKEN_TRANSFERS, TRANSFER_TARGET } from '../../../src/tables/token-transfers.ts';
import { TRANSACTION_TARGETS } from '../../../src/tables/transaction-targets.ts';

const TABLES: readonly Table[] = [...BASE_TABLE_VALUES, TOKEN_STATES, TOKEN_TRANSFERS];
const TARGETS = [
  ...TRANSACTION_TARGETS,
  ...MESSAGE_TARGETS,
  ...TOKEN_TARGETS,
  TOKENS_LATEST,
  TRANSFER_TARGET,
];

describe('tables', () => {
  it('have a comment on every table and column', () => {
    for (const { name, comment, columns } of TABLES) {
      const lacking = Object.keys(columns).filter((column) => !/\.$/.test(columns[column]?.comment ?? ''));
      expect([name, lacking]).toEqual([name, []]);
      expect(comment).not.toBe('');
    }
    for (const { name, comment, columns } of TARGETS) {
      expect([name, columns.filter((column) => !column.comment).map((column) => column.name)]).toEqual([
        name,
        [],
      ]);
      expect(comment).not.toBe('');
    }
  });
});

describe('the tables of base', () => {
  it('give the projection its version', () => {
    expect(BASE.version).toBe(newestVersion(BASE_TABLE_VALUES));
    const [table] = BASE_TABLE_VALUES;
    if (!table) throw new RangeError('base has no table');
    const changed = { ...table, version: BASE.version + 1 };
    expect(newestVersion([...BASE_TABLE_VALUES, changed])).toBe(BASE.version + 1);
  });

  it('are the landing tables in their order', () => {
    expect(BASE_TABLE_VALUES.map(({ name }) => name)).toEqual(Object.keys(BASE_TABLES));
    expect(BASE.sink.landings.map(({ landing }) => landing)).toEqual(
      expect.arrayContaining(Object.keys(BASE_TABLES)),
    );
  });
});
