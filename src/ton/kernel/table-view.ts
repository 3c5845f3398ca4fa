import type { BaseTable } from '../../tables/base-tables.ts';
import { ALL_TABLES } from './column-streams.ts';
import { type NativeParts, streamOffsets } from './native-parts.ts';

/** Rows of one table as decoding left them: the streams of each column (src/ton/kernel/column-streams.ts). */
export class TableView {
  readonly name: BaseTable;
  readonly rows: number;
  readonly #columns: ReadonlyMap<string, readonly Buffer[]>;

  private constructor(name: BaseTable, rows: number, columns: ReadonlyMap<string, readonly Buffer[]>) {
    this.name = name;
    this.rows = rows;
    this.#columns = columns;
  }

  /** The tables of some decoded rows that have any; views, valid until the rows' memory is given back. */
  static all({ buffer, rows, sizes }: NativeParts): Map<BaseTable, TableView> {
    const offsets = streamOffsets(sizes);
    const views = new Map<BaseTable, TableView>();
    for (const [index, { name, columns }] of ALL_TABLES.entries()) {
      const count = rows[index] as number;
      if (count === 0) continue;
      const streams = columns.map(({ name: column, first, streams }) => {
        const views = streams.map((_, part) =>
          Buffer.from(buffer, offsets[first + part], sizes[first + part]),
        );
        return [column, views] as const;
      });
      views.set(name, new TableView(name, count, new Map(streams)));
    }
    return views;
  }

  /** The streams of a column: its Native parts in order. */
  streams(column: string): readonly Buffer[] {
    const found = this.#columns.get(column);
    if (!found) throw new RangeError(`table ${this.name} has no column ${column}`);
    return found;
  }

  /** A column of hashes, as lowercase hex. */
  hex(column: string, row: number): string {
    return (this.streams(column)[0] as Buffer).toString('hex', row * 32, row * 32 + 32);
  }

  int32(column: string, row: number): number {
    return (this.streams(column)[0] as Buffer).readInt32LE(row * 4);
  }

  uint32(column: string, row: number): number {
    return (this.streams(column)[0] as Buffer).readUInt32LE(row * 4);
  }

  uint64(column: string, row: number): bigint {
    return (this.streams(column)[0] as Buffer).readBigUInt64LE(row * 8);
  }

  uint8(column: string, row: number): number {
    return (this.streams(column)[0] as Buffer)[row] as number;
  }
}
