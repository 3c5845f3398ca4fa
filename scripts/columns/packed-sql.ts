import { type PackedColumns, packedSql } from '../../src/api/read/packed-columns.ts';
import { bytes, plainAlias, widthOf } from './packed-alias.ts';

/** A table whose rows have a packed column. */
export interface PackedTable {
  /** Types of the landed columns that it has, in order. */
  readonly columns: Readonly<Record<string, string>>;
  /** Codecs of those that stand beside the payload; the others are aliases of its bytes. */
  readonly kept: Readonly<Record<string, string>>;
  readonly packed: PackedColumns;
}

const LIST_START = "formatRow('RowBinary',\n        ";
const PAYLOAD = '    payload String';

/** The text of a migration with the columns of its first table, and the payload of the view into it, as these follow from each other. */
export function packedTableSql(table: PackedTable): (text: string) => string {
  return (text) => withPayload(withColumns(text, table), table.packed);
}

/** Writes the lines between the opening bracket and the payload. */
function withColumns(text: string, table: PackedTable): string {
  const start = text.indexOf('(\n', text.indexOf('CREATE TABLE')) + 2;
  const lines = Object.entries(table.columns).map(
    ([name, type]) => `    ${name} ${type} ${storedAs(name, table)},\n`,
  );
  return text.slice(0, start) + lines.join('') + text.slice(text.indexOf(PAYLOAD, start));
}

/** The text with the expression of the payload in the place of its present one. */
export function withPayload(text: string, packed: PackedColumns): string {
  const start = text.indexOf('    concat(');
  const sql = packedSql(packed, {}, ',\n        ').replace("formatRow('RowBinary', ", LIST_START);
  return `${text.slice(0, start)}    ${sql}${text.slice(text.indexOf(' AS payload', start))}`;
}

function storedAs(name: string, table: PackedTable): string {
  const codec = table.kept[name];
  if (codec) return `CODEC(${codec})`;
  const { sized, strings } = table.packed;
  if (sized.includes(name)) return `ALIAS ${plainAlias(table.columns[name] as string, placeOf(name, table))}`;
  const before = strings.slice(0, strings.indexOf(name));
  const place = [placeOfStrings(table), ...before.map((other) => lengthOf(other, table))].join(' + ');
  return `ALIAS substring(payload, ${place}, ${lengthOf(name, table)})`;
}

/** Where the value of a column begins in the payload, from 1. */
function placeOf(name: string, { columns, packed }: PackedTable): number {
  const before = name === '' ? packed.sized : packed.sized.slice(0, packed.sized.indexOf(name));
  return before.reduce((place, column) => place + widthOf(columns[column] as string), 2);
}

const LENGTH = widthOf('UInt32');

function lengthOf(name: string, table: PackedTable): string {
  const place = placeOf('', table) + table.packed.strings.indexOf(name) * LENGTH;
  return `reinterpretAsUInt32(${bytes(place, LENGTH)})`;
}

function placeOfStrings(table: PackedTable): number {
  return placeOf('', table) + table.packed.strings.length * LENGTH;
}
