import { type PackedColumns, packedSql } from '../../src/api/query/packed-columns.ts';
import { bytes, getWidth, plainAlias } from './packed-alias.ts';

/** A table whose rows have a packed column. */
export interface PackedTable {
  /** Types of the landed columns that it has, in order. */
  readonly columns: Readonly<Record<string, string>>;
  /** Codecs of the columns next to the payload; the others are aliases of its bytes. */
  readonly stored: Readonly<Record<string, string>>;
  readonly packed: PackedColumns;
}

const LIST_START = "formatRow('RowBinary',\n        ";
const SEPARATOR = ',\n        ';

/** The text of a migration with the columns of its first table, and the payload of the view into it, as these follow from each other. */
export function packedTableSql(table: PackedTable): (text: string) => string {
  return (text) =>
    withPayload(
      withColumns(text, table.columns, (name) => storedAs(name, table)),
      table.packed,
    );
}

/** The text with the columns of its first table up to `payload`. `storedAs`: the text after a column's type. */
export function withColumns(
  text: string,
  columns: Readonly<Record<string, string>>,
  storedAs: (name: string) => string,
): string {
  const start = text.indexOf('(\n', text.indexOf('CREATE TABLE')) + 2;
  const lines = Object.entries(columns).map(([name, type]) => `    ${name} ${type} ${storedAs(name)},\n`);
  return text.slice(0, start) + lines.join('') + text.slice(text.indexOf('    payload String', start));
}

/** The text with the expression of packed columns in the place of its present one. */
export function withPayload(text: string, packed: PackedColumns): string {
  return withExpression(text, (separator) => packedSql(packed, {}, separator));
}

/** The same for any expression of a payload, by the separator of its values. */
export function withExpression(text: string, expression: (separator: string) => string): string {
  const start = text.indexOf('    concat(');
  const sql = expression(SEPARATOR).replace("formatRow('RowBinary', ", LIST_START);
  return `${text.slice(0, start)}    ${sql}${text.slice(text.indexOf(' AS payload', start))}`;
}

function storedAs(name: string, table: PackedTable): string {
  const codec = table.stored[name];
  if (codec) return `CODEC(${codec})`;
  const { sized, strings } = table.packed;
  if (sized.includes(name))
    return `ALIAS ${plainAlias(table.columns[name] as string, getPlace(name, table))}`;
  const before = strings.slice(0, strings.indexOf(name));
  const place = [lengthsAt(table) + strings.length * LENGTH, ...before.map((one) => buildLength(one, table))];
  return `ALIAS substring(payload, ${place.join(' + ')}, ${buildLength(name, table)})`;
}

/** The number of the layout comes first. */
const FIRST = 2;
const LENGTH = getWidth('UInt32');

/** Start of a column in the payload, from 1. */
function getPlace(name: string, { columns, packed: { sized } }: PackedTable): number {
  return FIRST + widthOfAll(sized.slice(0, sized.indexOf(name)), columns);
}

/** Start of the string lengths, after all columns of fixed size. */
function lengthsAt({ columns, packed }: PackedTable): number {
  return FIRST + widthOfAll(packed.sized, columns);
}

function widthOfAll(names: readonly string[], columns: PackedTable['columns']): number {
  return names.reduce((width, name) => width + getWidth(columns[name] as string), 0);
}

function buildLength(name: string, table: PackedTable): string {
  const place = lengthsAt(table) + table.packed.strings.indexOf(name) * LENGTH;
  return `reinterpretAsUInt32(${bytes(place, LENGTH)})`;
}
