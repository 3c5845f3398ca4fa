import { BASE_TABLES, type BaseTable } from '../../tables/base-tables.ts';
import { TableBuilder } from './table-builder.ts';

type Tables = { readonly [K in BaseTable]: TableBuilder<(typeof BASE_TABLES)[K]> };

/** Row counts by table: where to roll back to. */
export type ColumnsMark = Readonly<Record<BaseTable, number>>;

/** Builders of all landing tables of the `base` projection; decoding writes into them. */
export class BaseColumns {
  readonly tables: Tables;
  private readonly list: readonly (readonly [BaseTable, TableBuilder<Record<string, string>>])[];

  constructor() {
    const names = Object.keys(BASE_TABLES) as BaseTable[];
    const made = names.map((name) => [name, new TableBuilder(name, BASE_TABLES[name])] as const);
    this.tables = Object.fromEntries(made) as unknown as Tables;
    this.list = made as unknown as readonly (readonly [BaseTable, TableBuilder<Record<string, string>>])[];
  }

  rows(): Record<BaseTable, number> {
    return Object.fromEntries(this.list.map(([name, table]) => [name, table.rows])) as Record<
      BaseTable,
      number
    >;
  }

  /** The present end of all tables. */
  mark(): ColumnsMark {
    return this.rows();
  }

  /** Drops everything written since `mark` was taken, unfinished rows included. */
  truncate(mark: ColumnsMark): void {
    for (const [name, table] of this.list) table.truncate(mark[name]);
  }

  /** Drops all rows; the memory stays. */
  reset(): void {
    for (const [, table] of this.list) table.reset();
  }
}
