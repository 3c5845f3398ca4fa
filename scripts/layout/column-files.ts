import { BASE_TABLES } from '../../src/tables/base-tables.ts';
import type { HandWritten } from './hand-written.ts';

/**
 * Most files that people write for one column of `transactions`: the table, the plain reader and the kernel. Code that
 * uses a column is not counted, and a new column needs none.
 */
export const COLUMN_LIMIT = 3;

/** Code that only uses the columns. */
const USERS = /^(src\/(api\/|tables\/sums\/|ton\/columns\/plain-)|clickhouse\/lake\/)/;

/** The version of the projection that has the columns. */
const VERSION_FILE = 'pipelines/base.ts';

/** Columns that only go from the TL-B to the answers: the phases. Queries that filter or join name the others. */
const PHASE = /^(storage|credit|compute|action|bounce)_/;

/** A column, and the files that define or fill it. */
export interface ColumnFiles {
  readonly column: string;
  readonly files: readonly string[];
}

/** Files by column of a phase, the column with most of them first. The kernel calls a column `transactions_<name>`. */
export function columnFiles(files: readonly HandWritten[]): ColumnFiles[] {
  const columns = Object.keys(BASE_TABLES.transactions).filter((name) => PHASE.test(name));
  // Before tables had versions, the projection's was a number of its own.
  const isWritten = files.some(({ path, text }) => path === VERSION_FILE && /version: \d/.test(text));
  const version = isWritten ? [VERSION_FILE] : [];
  return columns
    .map((column) => {
      const named = new RegExp(`(?<![A-Za-z0-9_])(transactions_)?${column}(_is_null|_ends)?(?![A-Za-z0-9_])`);
      const naming = files.filter(({ text }) => named.test(text)).map(({ path }) => path);
      return { column, files: [...naming.filter((path) => !USERS.test(path)), ...version].sort() };
    })
    .sort((a, b) => b.files.length - a.files.length);
}
