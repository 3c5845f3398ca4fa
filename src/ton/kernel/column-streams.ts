/**
 * The byte layout of decoded columns: every column of the landing tables as one to three streams, in the order of
 * `src/tables/base-tables.ts`, which defines the columns. The kernel writes all but the columns of `raw_blocks`.
 */

import { BASE_TABLES, type BaseTable } from '../../tables/base-tables.ts';
import { type ColumnType, parseColumnType } from '../../tables/column-type.ts';

/** The host appends `raw_blocks`, whose bytes it has. */
export const KERNEL_TABLES = (Object.keys(BASE_TABLES) as BaseTable[]).filter(
  (name) => name !== 'raw_blocks',
);

/** Bytes of one part of a column; `width` is 0 where their number does not follow from the number of rows. */
export interface ColumnStream {
  readonly name: string;
  readonly width: number;
}

/** A column: the streams are its Native parts in order. */
export interface StreamedColumn {
  readonly name: string;
  /** Number of its first stream among the streams of all tables. */
  readonly first: number;
  readonly streams: readonly ColumnStream[];
}

export interface StreamedTable {
  readonly name: BaseTable;
  readonly columns: readonly StreamedColumn[];
}

function buildStreams(name: string, type: ColumnType): ColumnStream[] {
  switch (type.kind) {
    case 'number':
    case 'bigint':
    case 'fixed':
      return [{ name, width: type.width }];
    case 'string':
      return [{ name, width: 0 }];
    case 'nullable':
      return [{ name: `${name}_is_null`, width: 1 }, ...buildStreams(name, type.inner)];
    case 'map':
      return [
        { name: `${name}_ends`, width: 8 },
        { name: `${name}_keys`, width: 0 },
        { name: `${name}_values`, width: 0 },
      ];
  }
}

/** Tables with their columns' streams numbered through. Default: those that the kernel writes. */
export function streamedTables(tables: readonly BaseTable[] = KERNEL_TABLES): StreamedTable[] {
  let first = 0;
  return tables.map((table) => ({
    name: table,
    columns: Object.entries(BASE_TABLES[table] as Record<string, string>).map(([name, type]) => {
      const streams = buildStreams(`${table}_${name}`, parseColumnType(type));
      first += streams.length;
      return { name, first: first - streams.length, streams };
    }),
  }));
}

/** Every landing table: the kernel's first, with the same numbers, then `raw_blocks`. */
export const ALL_TABLES: readonly StreamedTable[] = streamedTables([...KERNEL_TABLES, 'raw_blocks']);
export const RAW_BLOCKS = ALL_TABLES.at(-1) as StreamedTable;
export const STREAM_COUNT = ALL_TABLES.reduce(
  (sum, { columns }) => sum + columns.reduce((count, { streams }) => count + streams.length, 0),
  0,
);
