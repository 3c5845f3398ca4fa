import type { BaseColumns } from '../columns/base-columns.ts';
import type { ColumnBuilder } from '../columns/column-builder.ts';
import { ALL_TABLES, STREAM_COUNT } from './column-streams.ts';

/**
 * Decoded rows of all landing tables as bytes in one buffer, fit for moving between threads: stream after stream
 * (column-streams.ts), each at a multiple of eight.
 */
export interface NativeParts {
  /** May be larger than what is used of it. */
  readonly buffer: ArrayBuffer;
  /** Rows by table, in the order of ALL_TABLES. */
  readonly rows: readonly number[];
  /** Bytes by stream. */
  readonly sizes: Uint32Array<ArrayBuffer>;
}

/** Buffers come in whole steps of this, so that one that comes back fits the next rows. */
const STEP = 1 << 20;

const aligned = (size: number): number => (size + 7) & ~7;

/** Start of every stream, and the end after the last one. */
export function streamOffsets(sizes: Uint32Array): Float64Array {
  const offsets = new Float64Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) {
    offsets[i + 1] = (offsets[i] as number) + aligned(sizes[i] as number);
  }
  return offsets;
}

/** Room for `size` bytes: in `spare` if it is large enough, or in a new buffer. */
export function roomFor(size: number, spare: ArrayBuffer | null): ArrayBuffer {
  if (spare && spare.byteLength >= size) return spare;
  return new ArrayBuffer(Math.max(1, Math.ceil((size * 1.125) / STEP)) * STEP);
}

/** The rows of columns that were built otherwise, in the same form; the columns stay. */
export function partsOfColumns(columns: BaseColumns, spare: ArrayBuffer | null): NativeParts {
  const sizes = new Uint32Array(STREAM_COUNT);
  const rows: number[] = [];
  const parts: Uint8Array[] = [];
  for (const { name } of ALL_TABLES) {
    const table = columns.tables[name];
    rows.push(table.rows);
    for (const column of table.columns) parts.push(...column.parts());
  }
  for (const [i, { length }] of parts.entries()) sizes[i] = length;
  const offsets = streamOffsets(sizes);
  const buffer = roomFor(offsets[STREAM_COUNT] as number, spare);
  const bytes = new Uint8Array(buffer);
  for (const [i, part] of parts.entries()) bytes.set(part, offsets[i] as number);
  return { buffer, rows, sizes };
}

/** Appends the rows to columns; the parts stay. */
export function appendParts(columns: BaseColumns, { buffer, rows, sizes }: NativeParts): void {
  const offsets = streamOffsets(sizes);
  const view = (stream: number) => new Uint8Array(buffer, offsets[stream], sizes[stream]);
  for (const [index, { name, columns: streamed }] of ALL_TABLES.entries()) {
    const added = rows[index] as number;
    if (added === 0) continue;
    const table = columns.tables[name];
    for (const [place, { first, streams }] of streamed.entries()) {
      const column = table.columns[place] as ColumnBuilder<never>;
      column.appendNative(
        streams.map((_, part) => view(first + part)),
        added,
      );
    }
    table.endNativeRows(added);
  }
}
