import { BASE_TABLES } from '../../src/ton/columns/tables.ts';
import type { HandWritten } from './hand-written.ts';

/** Most files that people write for one column of `transactions`. */
export const COLUMN_LIMIT = 6;

/** Columns that only go from the TL-B to the answers: the phases. Queries that filter or join name the others. */
const PHASE = /^(storage|credit|compute|action|bounce)_/;

/** A change of what a projection yields raises its version. */
const VERSION_FILE = 'pipelines/base.ts';

/** A column, and the files that name it or change with it. */
export interface ColumnFiles {
  readonly column: string;
  readonly files: readonly string[];
}

/** Files by column of a phase, the column with most of them first. The kernel calls a column `transactions_<name>`. */
export function columnFiles(files: readonly HandWritten[]): ColumnFiles[] {
  const columns = Object.keys(BASE_TABLES.transactions).filter((name) => PHASE.test(name));
  return columns
    .map((column) => {
      const named = new RegExp(`(?<![A-Za-z0-9_])(transactions_)?${column}(_is_null|_ends)?(?![A-Za-z0-9_])`);
      const naming = files.filter(({ text }) => named.test(text)).map(({ path }) => path);
      return { column, files: [...naming, VERSION_FILE].sort() };
    })
    .sort((a, b) => b.files.length - a.files.length);
}
