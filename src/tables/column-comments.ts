import { BASE_TABLE_VALUES } from './base-tables.ts';
import type { Table } from './table.ts';
import { TOKEN_STATES } from './token-states.ts';
import { TOKEN_TRANSFERS } from './token-transfers.ts';
import { TRACES } from './traces.ts';

const TABLES: readonly Table[] = [...BASE_TABLE_VALUES, TOKEN_STATES, TOKEN_TRANSFERS, TRACES];

/** The comment of a column of a table, without its last full stop; null if there is no such table or column. */
export function columnComment(table: string, column: string): string | null {
  const comment = TABLES.find(({ name }) => name === table)?.columns[column]?.comment;
  return comment?.replace(/\.$/, '') ?? null;
}
