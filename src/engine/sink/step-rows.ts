import { type NativeTable, varUint } from '../../platform/clickhouse/native-format.ts';
import { SinkDefinitionError, takenRows } from './expected-rows.ts';
import { positionColumn, type SinkDefinition } from './sink-definition.ts';

/** Landing table of the counts, and the table that keeps them: every table projection has both. */
export const STEP_ROWS = 'step_rows';

/** The positions of a table's rows. */
function getPositions(table: NativeTable, column: string): Uint32Array {
  const found = table.columns.find(({ name }) => name === column);
  if (found?.type !== 'UInt32') throw new SinkDefinitionError(`table ${table.name} has no UInt32 ${column}`);
  const bytes = new Uint8Array(table.rows * 4);
  let at = 0;
  for (const part of found.parts()) {
    bytes.set(part.subarray(0, bytes.length - at), at);
    at += part.length;
  }
  return new Uint32Array(bytes.buffer);
}

/** Rows by position and target table. */
function countSteps(
  definition: SinkDefinition,
  tables: readonly NativeTable[],
): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const steps = new Map<number, Map<string, number>>();
  for (const { landing, countedLike = landing, counted } of definition.landings) {
    const table = tables.find(({ name }) => name === countedLike);
    if (!table || table.rows === 0) continue;
    const positions = getPositions(table, positionColumn(definition));
    for (const { table: target, where, rowsPerRow = 1 } of counted) {
      const isTaken = takenRows(table, where);
      for (let row = 0; row < table.rows; row++) {
        if (!isTaken(row)) continue;
        const position = positions[row] as number;
        const step = steps.get(position) ?? new Map<string, number>();
        steps.set(position, step.set(target, (step.get(target) ?? 0) + rowsPerRow));
      }
    }
  }
  return steps;
}

function numbers(values: readonly number[], width: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * width));
  values.forEach((value, i) => {
    if (width === 4) view.setUint32(i * 4, value, true);
    else view.setBigUint64(i * 8, BigInt(value), true);
  });
  return new Uint8Array(view.buffer);
}

/** The partition of a projection in chain order, which its counts are of. */
function partColumn(rows: number, partition: number): NativeTable['columns'][number] {
  const values = Buffer.alloc(rows * 2);
  for (let row = 0; row < rows; row++) values.writeUInt16LE(partition, row * 2);
  return { name: 'part', type: 'UInt16', parts: () => [values] };
}

/**
 * Row counts of each counted table for each position: a table that lands like them, with the columns of
 * `land_step_rows`. `partition`: of a projection in chain order. It outlives the journal, so missing rows are found at
 * any later time.
 */
export function stepRows(
  definition: SinkDefinition,
  tables: readonly NativeTable[],
  partition?: number,
): NativeTable {
  const steps = [...countSteps(definition, tables)].sort(([a], [b]) => a - b);
  const pairs = steps.map(([, counts]) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  const ends: number[] = [];
  for (const { length } of pairs) ends.push((ends.at(-1) ?? 0) + length);
  const encoder = new TextEncoder();
  const keys = pairs.flat().flatMap(([name]) => [varUint(name.length), encoder.encode(name)]);
  const mapParts = [
    numbers(ends, 8),
    ...keys,
    numbers(
      pairs.flat().map(([, count]) => count),
      8,
    ),
  ];
  const positions = numbers(
    steps.map(([position]) => position),
    4,
  );
  return {
    name: STEP_ROWS,
    rows: steps.length,
    columns: [
      { name: positionColumn(definition), type: 'UInt32', parts: () => [positions] },
      ...(partition === undefined ? [] : [partColumn(steps.length, partition)]),
      { name: 'rows', type: 'Map(String, UInt64)', parts: () => mapParts },
    ],
  };
}
