import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTIVITY } from '../../../../pipelines/activity.ts';
import { BASE } from '../../../../pipelines/base.ts';
import { CONTRACTS } from '../../../../pipelines/contracts.ts';
import { TRACES } from '../../../../pipelines/traces.ts';
import { countedTargets, getSharding } from '../../../../src/engine/sink/sink-definition.ts';
import { localTable, tableOfLocal } from '../../../../src/platform/clickhouse/cluster-scope.ts';
import {
  ClusterTableError,
  tableStatements,
} from '../../../../src/platform/clickhouse/migrations/cluster-tables.ts';
import { readMigrationFiles } from '../../../../src/platform/clickhouse/migrations/migration-files.ts';
import { splitStatements } from '../../../../src/platform/clickhouse/migrations/sql-statements.ts';

const ROOT = join(import.meta.dirname, '../../../../clickhouse');
const single = { database: 'net_base_v1', meta: 'net', epochSize: 10, cluster: null };
const cluster = { ...single, cluster: 'main' };
const TABLE =
  'CREATE TABLE IF NOT EXISTS {db}.t{cluster} AS {db}.land_t\nENGINE = {engine:ReplacingMergeTree(lt)}\nORDER BY a';

describe('tableStatements', () => {
  it('leaves one server one table', () => {
    expect(tableStatements(TABLE, single, {})).toEqual([
      'CREATE TABLE IF NOT EXISTS net_base_v1.t AS net_base_v1.land_t\nENGINE = ReplacingMergeTree(lt)\nORDER BY a',
    ]);
  });

  it('makes a replicated table on every shard and a Distributed over them', () => {
    expect(tableStatements(TABLE, cluster, { t: 'cityHash64(a)' })).toEqual([
      "CREATE TABLE IF NOT EXISTS net_base_v1.t_local ON CLUSTER 'main' AS net_base_v1.land_t\nENGINE = ReplicatedReplacingMergeTree(lt)\nORDER BY a",
      "CREATE TABLE IF NOT EXISTS net_base_v1.t ON CLUSTER 'main' AS net_base_v1.t_local\nENGINE = Distributed('main', 'net_base_v1', 't_local', cityHash64(a))",
    ]);
  });

  it('uses the key of any other table if there is one', () => {
    expect(tableStatements(TABLE, cluster, { '*': '0' })[1]).toContain("'t_local', 0)");
  });

  it.each([
    'CREATE TABLE IF NOT EXISTS {db}.land_t{cluster} (a UInt8)\nENGINE = Null',
    'CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.t_mv{cluster} TO {db}.t AS\nSELECT * FROM {db}.land_t',
  ])('leaves what keeps no rows: %s', (statement) => {
    expect(tableStatements(statement, cluster, {})).toHaveLength(1);
  });

  it('refuses a table without a key, and one that it cannot read', () => {
    expect(() => tableStatements(TABLE, cluster, { other: '0' })).toThrow(ClusterTableError);
    const otherwise =
      'CREATE OR REPLACE TABLE {db}.t{cluster} (a UInt8) ENGINE = {engine:MergeTree} ORDER BY a';
    expect(() => tableStatements(otherwise, cluster, { t: 'a' })).toThrow(ClusterTableError);
  });
});

describe('names of shard tables', () => {
  it('lead back to the table', () => {
    expect(tableOfLocal(localTable('blocks', 'main'), 'main')).toBe('blocks');
    expect(tableOfLocal(localTable('blocks', null), null)).toBe('blocks');
  });
});

describe('the migrations of this checkout, on a cluster', () => {
  const keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    meta: { '*': '0' },
    base: getSharding(BASE.sink),
    activity: getSharding(ACTIVITY.sink),
    contracts: getSharding(CONTRACTS.sink),
    traces: getSharding(TRACES.sink),
  };
  const statements = Object.entries(keys).flatMap(([folder, sharding]) =>
    readMigrationFiles(ROOT, folder).flatMap(({ text }) =>
      splitStatements(text).flatMap((one) =>
        tableStatements(one, { ...cluster, database: `net_${folder}_v1` }, sharding),
      ),
    ),
  );

  it('make every table of the sink twice', () => {
    const tables = [...countedTargets(BASE.sink), ...BASE.sink.derived].map(({ table }) => table);
    expect(tables.length).toBeGreaterThan(15);
    for (const table of tables) {
      const made = statements.filter((text) =>
        text.startsWith(`CREATE TABLE IF NOT EXISTS net_base_v1.${table} `),
      );
      const kept = statements.filter((text) => text.includes(`net_base_v1.${table}_local ON CLUSTER 'main'`));
      expect(made, table).toHaveLength(1);
      expect(made[0]).toContain(`Distributed('main', 'net_base_v1', '${table}_local', `);
      expect(kept, table).toHaveLength(1);
      expect(kept[0]).toMatch(/ENGINE = Replicated\w*MergeTree/);
    }
  });

  it('run everywhere, each of them', () => {
    for (const text of statements) expect(text).toContain("ON CLUSTER 'main'");
  });

  it('name no key of a table that there is not', () => {
    for (const table of Object.keys(getSharding(BASE.sink)))
      expect(
        statements.some((text) => text.includes(`net_base_v1.${table}_local ON CLUSTER`)),
        table,
      ).toBe(true);
  });
});
