import { DataError } from '../../errors/error-kinds.ts';
import { localTable } from '../cluster-scope.ts';
import { expandMacros, type MacroValues } from './macros.ts';

/** By folder of migrations and table (`*`: any other): an expression over its columns that gives a whole number. */
export type ShardingKeys = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A statement about a table that keeps rows, of which a cluster's two tables cannot be made. */
export class ClusterTableError extends DataError {
  readonly statement: string;

  constructor(reason: string, statement: string) {
    super(`${reason}: ${statement.slice(0, 120)}`);
    this.statement = statement;
  }
}

const STORING = /\{engine:/;
const CREATE = /^CREATE TABLE IF NOT EXISTS \{(db|secrets)\}\.(\w+)\{cluster\}/;

/**
 * The statements that one statement of a migration file amounts to. On one server, and for whatever keeps no rows (the
 * landing tables, views), it is itself. On a cluster a table is two: `X_local`, replicated, on every shard, and `X`, a
 * `Distributed` over them under the name that views write to and readers read from.
 *
 * @param keys sharding keys of the folder, by table
 * @throws ClusterTableError for a table without a key, and for a table written otherwise than CREATE TABLE IF NOT EXISTS
 */
export function tableStatements(
  statement: string,
  values: MacroValues,
  keys: Readonly<Record<string, string>>,
): string[] {
  const { cluster } = values;
  if (cluster === null || !STORING.test(statement)) return [expandMacros(statement, values)];
  const [, macro, table] = CREATE.exec(statement) ?? [];
  if (macro === undefined || table === undefined)
    throw new ClusterTableError(`expected ${CREATE}`, statement);
  const key = keys[table] ?? keys['*'];
  if (key === undefined) throw new ClusterTableError(`table ${table} has no sharding key`, statement);
  const database = expandMacros(`{${macro}}`, values);
  const local = localTable(table, cluster);
  const stored = statement.replace(CREATE, `CREATE TABLE IF NOT EXISTS ${database}.${local}{cluster}`);
  return [
    expandMacros(stored, values),
    `CREATE TABLE IF NOT EXISTS ${database}.${table} ON CLUSTER '${cluster}' AS ${database}.${local}\n` +
      `ENGINE = Distributed('${cluster}', '${database}', '${local}', ${key})`,
  ];
}
