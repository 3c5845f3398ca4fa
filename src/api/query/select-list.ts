import type { JsonValue } from './json-value.ts';
import type { RawRow } from './scope.ts';
import { identifier, type Sql, sql } from './sql.ts';

/** Types by column. */
export type Columns = Readonly<Record<string, string>>;

/** Columns that hold account ids: written as upper-case hex, as answers show them. */
const ACCOUNT_COLUMNS = new Set(['account', 'source', 'destination', 'tx_account']);

/** A row with the columns' names as keys. */
export type SelectedRow<T extends Columns> = { readonly [K in keyof T]: JsonValue<T[K]> };

/** A SELECT list and the reader of its rows. */
export interface SelectList<Row> {
  /** Expressions, in order; binary columns as base64, account ids as hex. */
  readonly sql: string;
  readonly columns: readonly string[];
  /** The expressions for a table that may lack columns, which are NULL then. Default: it lacks none. */
  within(served: Columns | undefined): string;
  /** The same with only the columns in `wanted`: a constant of its type replaces another one. */
  only(wanted: ReadonlySet<string>, served: Columns | undefined): string;
  row(values: RawRow): Row;
}

/** The list of all columns of a table description, optionally without some. */
export function selectList<T extends Columns, Left extends keyof T & string = never>(
  columns: T,
  leftOut: readonly Left[] = [],
): SelectList<SelectedRow<Omit<T, Left>>> {
  const left = new Set<string>(leftOut);
  const names = Object.keys(columns).filter((name) => !left.has(name));
  const toExpression = (name: string) => expression(name, columns[name] as string);
  const sql = names.map(toExpression).join(', ');
  const missing = (name: string, served: Columns | undefined) => served !== undefined && !(name in served);
  return {
    sql,
    columns: names,
    only: (wanted, served) =>
      names
        .map((name) => {
          if (!wanted.has(name)) return constant(columns[name] as string);
          return missing(name, served) ? 'NULL' : toExpression(name);
        })
        .join(', '),
    within: (served) =>
      served ? names.map((name) => (name in served ? toExpression(name) : 'NULL')).join(', ') : sql,
    row: (values) => {
      const row: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i];
      return row as SelectedRow<Omit<T, Left>>;
    },
  };
}

/** A value that reads as one of the type. */
function constant(type: string): string {
  if (type.startsWith('Nullable(')) return 'NULL';
  if (type.startsWith('Map(')) return 'map()';
  if (type === 'Bool') return 'false';
  return /^U?Int/.test(type) ? '0' : `''`;
}

function expression(name: string, type: string): string {
  if (ACCOUNT_COLUMNS.has(name)) return `hex(${name})`;
  return type === 'String' || type.startsWith('FixedString') ? `base64Encode(${name})` : name;
}

/** An address of columns `has_NAME`, `NAME_workchain` and NAME, raw; null if it has none. */
export function addressColumns(name: string): Sql {
  const [has, workchain, account] = [`has_${name}`, `${name}_workchain`, name].map((one) => identifier(one));
  return sql`if(${has as Sql}, concat(toString(${workchain as Sql}), ':', hex(${account as Sql})), NULL)`;
}
