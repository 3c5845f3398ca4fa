import type { NativeColumn, NativeTable } from '../native-format.ts';
import type { Batch } from './batch.ts';
import { countedTargets, type RowFilter, type SinkDefinition } from './sink-definition.ts';

/** A batch and the sink's definition do not belong together. */
export class SinkDefinitionError extends Error {
  override readonly name = 'SinkDefinitionError';
}

/** Rows by target table. */
export type RowCounts = Readonly<Record<string, number>>;

const ONE_BYTE = /^(Enum8\b.*|Bool|U?Int8)$/s;

/** Bytes equal to `value` among the first `count` of the column's data. */
function countBytes(column: NativeColumn, count: number, value: number): number {
  let found = 0;
  let left = count;
  for (const part of column.parts()) {
    const end = Math.min(left, part.length);
    for (let i = 0; i < end; i++) if (part[i] === value) found++;
    left -= end;
    if (left === 0) break;
  }
  if (left > 0)
    throw new SinkDefinitionError(`column ${column.name} is ${left} bytes short of ${count} rows`);
  return found;
}

/** Rows of the table that the filter takes. */
export function countRows(table: NativeTable, filter: RowFilter | undefined): number {
  if (!filter) return table.rows;
  const column = table.columns.find(({ name }) => name === filter.column);
  if (!column) throw new SinkDefinitionError(`table ${table.name} has no column ${filter.column}`);
  if ('notNull' in filter) {
    if (!column.type.startsWith('Nullable(')) {
      throw new SinkDefinitionError(`${table.name}.${column.name} is ${column.type}, not Nullable`);
    }
    // Native data of a Nullable begins with its map: one byte a row, 1 for NULL.
    return countBytes(column, table.rows, 0);
  }
  if (!ONE_BYTE.test(column.type)) {
    throw new SinkDefinitionError(`${table.name}.${column.name} is ${column.type}, not a type of one byte`);
  }
  return countBytes(column, table.rows, filter.equals & 0xff);
}

/** What every counted target will hold for the batch's positions. Throws `SinkDefinitionError` for an unknown table. */
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
