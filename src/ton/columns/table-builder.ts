import type { TableColumns } from '../../tables/column-type.ts';
import { type BuilderFor, type ColumnBuilder, createColumnBuilder } from './column-builder.ts';
import type { NativeTable } from './native-column.ts';

/** A row whose columns do not all have exactly one value: a mistake of the writer. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

type Builders<T extends TableColumns> = { readonly [K in keyof T]: BuilderFor<T[K]> };

/**
 * A table under construction: push one value to every column of `col`, then call `endRow`.
 * The columns are in ClickHouse's Native form at any time between rows.
 */
export class TableBuilder<T extends TableColumns> implements NativeTable {
  readonly name: string;
  readonly col: Builders<T>;
  readonly columns: readonly ColumnBuilder<never>[];
  private count = 0;

  constructor(name: string, descriptor: T) {
    this.name = name;
    const builders = Object.entries(descriptor).map(
      ([column, type]) => [column, createColumnBuilder(column, type)] as const,
    );
    this.col = Object.fromEntries(builders) as Builders<T>;
    this.columns = builders.map(([, builder]) => builder as unknown as ColumnBuilder<never>);
  }

  /** Complete rows. */
  get rows(): number {
    return this.count;
  }

  /** Closes the row. Throws RowError if a column has no value in it, or more than one. */
  endRow(): void {
    const rows = this.count + 1;
    for (const column of this.columns) {
      if (column.rows !== rows) {
        throw new RowError(`${this.name}.${column.name}: ${column.rows} values at the end of row ${rows}`);
      }
    }
    this.count = rows;
  }

  /** Counts rows that were appended to every column in Native form. Throws RowError if a column lacks them. */
  endNativeRows(added: number): void {
    this.count += added - 1;
    this.endRow();
  }

  /** Back to no rows; the memory stays. */
  reset(): void {
    for (const column of this.columns) column.reset();
    this.count = 0;
  }

  /** Back to an earlier row count, an unfinished row included. */
  truncate(rows: number): void {
    if (rows > this.count)
      throw new RangeError(`${this.name}: cannot truncate ${this.count} rows to ${rows}`);
    for (const column of this.columns) column.truncate(rows);
    this.count = rows;
  }

  /** The point to `truncate` to. */
  mark(): number {
    return this.count;
  }
}
