import type { NativeColumn, NativeTable } from '../../platform/clickhouse/native-format.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import type { Batch } from './batch.ts';
import {
  type CountedTarget,
  countedTargets,
  type RowFilter,
  type SinkDefinition,
} from './sink-definition.ts';

/** A batch and the sink's definition do not belong together. */
export class SinkDefinitionError extends DataError {}

/** Rows by target table. */
export type RowCounts = Readonly<Record<string, number>>;

const ONE_BYTE = /^(Enum8\b.*|Bool|U?Int8)$/s;

/** The first `count` bytes of the column's data. */
function firstBytes(column: NativeColumn, count: number): Uint8Array {
  const [only, ...more] = column.parts();
  if (only && only.length >= count) return only.subarray(0, count);
  const bytes = new Uint8Array(count);
  let at = 0;
  for (const part of only ? [only, ...more] : []) {
    bytes.set(part.subarray(0, count - at), at);
    at = Math.min(count, at + part.length);
    if (at === count) return bytes;
  }
  if (count === 0) return bytes;
  throw new SinkDefinitionError(`column ${column.name} is ${count - at} bytes short of ${count} rows`);
}

/**
 * Tests whether the filters accept a row, by its number. Throws `SinkDefinitionError` if a filter does not fit the
 * table.
 */
export function takenRows(table: NativeTable, filters: CountedTarget['where']): (row: number) => boolean {
  const tests = [filters ?? []].flat().map((filter) => takenBy(table, filter));
  const [first, ...more] = tests;
  if (!first) return () => true;
  return more.length === 0 ? first : (row) => tests.every((isTaken) => isTaken(row));
}

function takenBy(table: NativeTable, filter: RowFilter): (row: number) => boolean {
  const column = table.columns.find(({ name }) => name === filter.column);
  if (!column) throw new SinkDefinitionError(`table ${table.name} has no column ${filter.column}`);
  const isNullable = column.type.startsWith('Nullable(');
  if ('notNull' in filter ? !isNullable : !ONE_BYTE.test(column.type)) {
    const wanted = 'notNull' in filter ? 'Nullable' : 'a type of one byte';
    throw new SinkDefinitionError(`${table.name}.${column.name} is ${column.type}, not ${wanted}`);
  }
  // Native data of a Nullable begins with its map: one byte a row, 1 for NULL.
  const value = 'notNull' in filter ? 0 : filter.equals & 0xff;
  const bytes = firstBytes(column, table.rows);
  return (row) => bytes[row] === value;
}

/** Rows of the table that the filters take. */
export function countRows(table: NativeTable, filters: CountedTarget['where']): number {
  if (!filters) return table.rows;
  const isTaken = takenRows(table, filters);
  let count = 0;
  for (let row = 0; row < table.rows; row++) if (isTaken(row)) count++;
  return count;
}

/** Expected rows of every counted target for the batch's positions. Throws `SinkDefinitionError` for an unknown table. */
export function expectedRows(definition: SinkDefinition, batch: Batch): RowCounts {
  const tables = new Map(batch.tables.map((table) => [table.name, table]));
  for (const name of tables.keys()) {
    if (!definition.landings.some(({ landing }) => landing === name)) {
      throw new SinkDefinitionError(`the batch has table ${name}, which lands nowhere`);
    }
  }
  const counts: Record<string, number> = {};
  for (const { table } of countedTargets(definition)) counts[table] = 0;
  for (const { landing, counted } of definition.landings) {
    const rows = tables.get(landing);
    if (!rows) continue;
    for (const { table, where, rowsPerRow } of counted) {
      counts[table] = (counts[table] ?? 0) + countRows(rows, where) * (rowsPerRow ?? 1);
    }
  }
  return counts;
}

export interface RowDifference {
  readonly table: string;
  readonly expected: number;
  readonly found: number;
}

/** Targets whose count is not what was expected. */
export function differences(expected: RowCounts, found: RowCounts): RowDifference[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .map((table) => ({ table, expected: expected[table] ?? 0, found: found[table] ?? 0 }))
    .filter((row) => row.expected !== row.found);
}
