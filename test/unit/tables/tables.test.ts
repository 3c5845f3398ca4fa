import { describe, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { MIGRATIONS } from '../../../src/engine/project-files.ts';
import { readMigrationFiles } from '../../../src/platform/clickhouse/migrations/migration-files.ts';
import { ALL_TABLES } from '../../../src/tables/all-tables.ts';
import { BASE_TABLE_VALUES, BASE_TABLES } from '../../../src/tables/base-tables.ts';
import { newestVersion } from '../../../src/tables/table.ts';

const FOLDERS = Object.entries(ALL_TABLES);

describe('tables', () => {
  it.each(FOLDERS)('of %s have a comment on every table and column', (_, { landed, targets }) => {
    const columns = [
      ...landed.flatMap((table) =>
        Object.entries(table.columns).map(([name, { comment }]) => [table.name, name, comment]),
      ),
      ...targets.flatMap((table) => table.columns.map(({ name, comment }) => [table.name, name, comment])),
    ];
    expect(columns.filter(([, , comment]) => !/[.…]$/.test(comment ?? ''))).toEqual([]);
    for (const { name, comment } of [...landed, ...targets])
      expect([name, comment]).toEqual([name, expect.stringMatching(/\.$/)]);
  });

  it.each(FOLDERS)('of %s are those that the migrations create', (folder, { landed, targets }) => {
    const files = readMigrationFiles(MIGRATIONS, folder);
    const created = files.flatMap(({ text }) =>
      [...text.matchAll(/CREATE TABLE IF NOT EXISTS \{(db|secrets)\}\.(\w+)/g)].map(
        ([, database, name]) => `${database}.${name}`,
      ),
    );
    const wanted = [
      ...landed.map(({ name }) => `db.land_${name}`),
      ...targets.map(({ database = 'db', name }) => `${database}.${name}`),
    ];
    expect(created.toSorted()).toEqual(wanted.toSorted());
  });
});

describe('tables whose old rows move', () => {
  const moving = FOLDERS.flatMap(([, { targets }]) => targets.filter(({ aging }) => aging));

  it('are read by block or time: look-ups by account, hash or owner end in other tables', () => {
    expect(moving.length).toBeGreaterThan(5);
    const first = moving.map(({ name, orderBy }) => [name, orderBy[0]]);
    expect(first.filter(([, column]) => !['mc_seqno', 'lt', 'now', 'time'].includes(column ?? ''))).toEqual(
      [],
    );
    expect(moving.filter(({ lookUps }) => lookUps)).toEqual([]);
  });

  it('have the column of time, or are partitioned by epoch', () => {
    const landed = new Map(FOLDERS.flatMap(([, tables]) => tables.landed.map((one) => [one.name, one])));
    for (const { name, aging, columns, partitionBy } of moving) {
      if (aging === 'epoch' || !aging) expect([name, partitionBy]).toEqual([name, expect.any(String)]);
      else
        expect([
          name,
          ...columns.map((one) => one.name),
          ...Object.keys(landed.get(name)?.columns ?? {}),
        ]).toContain(aging.column);
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
