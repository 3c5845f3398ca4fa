import { type Packed, packedAlias, packedSql } from '../../src/tables/packed.ts';
import { toTokens } from './statement-files.ts';

/** A table whose rows have a packed column. */
export interface PackedTable {
  /** Types of the landed columns that it has, in order. */
  readonly columns: Readonly<Record<string, string>>;
  /** Codecs of the columns next to the payload; the others are aliases of its bytes. */
  readonly stored: Readonly<Record<string, string>>;
  readonly packed: Packed;
}

/** The text of a migration with the columns of its first table, and the payload of the view into it, as these follow from each other. */
export function packedTableSql(table: PackedTable): (text: string) => string {
  return (text) => withPayload(withColumns(text, table), table.packed);
}

/** The text with the columns of its first table up to `payload`. */
function withColumns(text: string, { columns, stored, packed }: PackedTable): string {
  const start = text.indexOf('(\n', text.indexOf('CREATE TABLE')) + 2;
  const lines = Object.entries(columns).map(([name, type]) => {
    const codec = stored[name];
    return `    ${name} ${type} ${codec ? `CODEC(${codec})` : `ALIAS ${packedAlias(packed, columns, name)}`},\n`;
  });
  return text.slice(0, start) + lines.join('') + text.slice(text.indexOf('    payload String', start));
}

/** The text with the expression of packed columns, if its present one means something else. */
export function withPayload(text: string, packed: Packed): string {
  const start = text.indexOf('    concat(') + 4;
  const end = text.indexOf(' AS payload', start);
  const wanted = packedSql(packed);
  const isSame = toTokens(text.slice(start, end)) === toTokens(wanted);
  return isSame ? text : text.slice(0, start) + wanted + text.slice(end);
}
