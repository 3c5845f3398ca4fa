import { RowBinary } from './row-binary.ts';
import { UnknownLayoutError } from './unknown-layout.ts';

/**
 * Columns in one byte string of a row, its `payload`, since each further column of a short read costs as much as its
 * bytes: the layout number, one byte; fixed-size columns as a row of RowBinary, whose positions follow from their
 * types; the lengths of the others, u32 each; then their values.
 */
export interface PackedColumns {
  /** Name of its rows for messages. */
  readonly rows: string;
  readonly layout: number;
  readonly sized: readonly string[];
  readonly strings: readonly string[];
}

/**
 * The payload as an expression over columns, for views and for tables without a payload. `given`: replacement of a
 * column.
 */
export function packedSql(
  { layout, sized, strings }: PackedColumns,
  given: Readonly<Record<string, string>> = {},
  separator = ', ',
): string {
  const expression = (column: string) => given[column] ?? column;
  const lengths = strings.map((column) => `toUInt32(length(${expression(column)}))`);
  const fields = [...sized.map(expression), ...lengths].join(separator);
  return `concat(char(${layout}), formatRow('RowBinary', ${fields}), ${strings.map(expression).join(', ')})`;
}

/**
 * Reads rows of (account, payload) in RowBinary; `read` gets the payload from its columns on.
 * @throws UnknownLayoutError, and RangeError if the bytes end early
 */
export function packedRows<T>(
  bytes: Buffer,
  { rows: what, layout }: PackedColumns,
  read: (row: RowBinary, account: Uint8Array) => T,
): T[] {
  const found: T[] = [];
  for (const rows = new RowBinary(bytes); rows.more; ) {
    const account = rows.fixed(32);
    const row = new RowBinary(rows.string());
    const own = row.u8();
    if (own !== layout) throw new UnknownLayoutError(`payload of ${what} of layout ${own}, not ${layout}`);
    found.push(read(row, account));
  }
  return found;
}
