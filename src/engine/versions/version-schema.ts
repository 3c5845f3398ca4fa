import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { PROJECT } from '../project-files.ts';
import type { DerivedTarget, SinkDefinition, SqlSource } from '../sink/sink-definition.ts';

/** ClickHouse types by column, in the order of the table. */
export type TableColumns = Readonly<Record<string, string>>;

/**
 * Schema of a projection's version, written down once when its tables are made: they are never altered, and code of any
 * later release reads and writes the version by this.
 */
export interface VersionSchema {
  /** `schemaFingerprint` of the files that made it; null where those are not the files of the code that wrote this down. */
  readonly fingerprint: string | null;
  /** By table: those that keep rows, and the landing tables. */
  readonly tables: Readonly<Record<string, TableColumns>>;
  /** Sink of the version; repairs are held as SQL. */
  readonly sink: SinkDefinition;
}

/**
 * Columns of every table of a database, landing tables included; without views, computed columns (the gates of landing tables), and on a
 * cluster without the shards' own.
 */
export async function readTables(client: StoreClient, database: string): Promise<VersionSchema['tables']> {
  const withoutShards = client.cluster === null ? '' : ` AND engine NOT LIKE '%MergeTree'`;
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT table, name, type FROM system.columns
     WHERE database = {database:String} AND default_kind != 'MATERIALIZED' AND table IN
       (SELECT name FROM system.tables WHERE database = {database:String} AND engine NOT LIKE '%View'${withoutShards})
     ORDER BY table, position`,
    { route: 'versions/tables', params: { database } },
  );
  const tables: Record<string, Record<string, string>> = {};
  for (const [table, column, type] of rows) {
    const columns = tables[table] ?? {};
    columns[column] = type;
    tables[table] = columns;
  }
  return tables;
}

/** The definition with its repairs as SQL, independent of the release's files. */
export function heldSink(sink: SinkDefinition): SinkDefinition {
  return { ...sink, derived: sink.derived.map(heldTarget) };
}

function heldTarget(target: DerivedTarget): DerivedTarget {
  const { table, shard } = target;
  if ('repair' in target) return { table, shard, repair: heldSql(target.repair) };
  return { table, shard, corrections: heldSql(target.corrections) };
}

function heldSql(source: SqlSource): SqlSource {
  return typeof source === 'string' ? { sql: readFileSync(resolve(PROJECT, source), 'utf8') } : source;
}

/** Schema differences of two versions. */
export interface SchemaChanges {
  readonly addedTables: readonly string[];
  readonly removedTables: readonly string[];
  /** `table.column`, of tables that both have. */
  readonly addedColumns: readonly string[];
  readonly removedColumns: readonly string[];
}

/** Differences between the tables of two versions. */
export function schemaChanges(from: VersionSchema['tables'], to: VersionSchema['tables']): SchemaChanges {
  return {
    addedTables: missing(to, from),
    removedTables: missing(from, to),
    addedColumns: missingColumns(to, from),
    removedColumns: missingColumns(from, to),
  };
}

function missing(of: object, among: object): readonly string[] {
  return Object.keys(of).filter((name) => !(name in among));
}

function missingColumns(of: VersionSchema['tables'], among: VersionSchema['tables']): readonly string[] {
  return Object.entries(of).flatMap(([table, columns]) => {
    const others = among[table];
    return others ? missing(columns, others).map((column) => `${table}.${column}`) : [];
  });
}
