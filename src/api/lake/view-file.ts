import { DataError } from '../../platform/errors/error-kinds.ts';
import { columnComment } from '../../tables/column-comments.ts';

/** A view of the lake as its file in clickhouse/lake/views has it. */
export interface LakeView {
  readonly name: string;
  readonly comment: string;
  /** Projections that it needs. */
  readonly reads: readonly string[];
  /** Projections that fill optional columns. */
  readonly adds: readonly string[];
  /** True if the rows are current states, so a row of a past day can change. */
  readonly isNewest: boolean;
  readonly columns: readonly { readonly name: string; readonly comment: string }[];
  /** The statement, with macros (macros.ts). */
  readonly select: string;
}

/** A file of clickhouse/lake/views that cannot be read. */
export class LakeFileError extends DataError {
  override readonly name = 'LakeFileError';
  constructor(view: string, expected: string, found: string) {
    super(`clickhouse/lake/views/${view}.sql: expected ${expected}, found ${JSON.stringify(found)}`);
  }
}

const COLUMN = / AS (\w+),?(?: -- (\S.*))?$/;
/** The table of a view that reads a stored one, and its name in the statement. */
const STORED = /^FROM \{\w+\}\.(\w+) AS (\w+)$/;
const INDENT = '    ';

/** Reads the files of views, by name. A file with `same: VIEW` and no statement is that view under a second name. */
export function readViewFiles(files: Readonly<Record<string, string>>): readonly LakeView[] {
  return Object.entries(files).map(([name, text]) => {
    const [comment = '', second = ''] = text.split('\n').map((line) => line.replace(/^-- ?/, ''));
    const [, same] = /^same: (\w+)$/.exec(second) ?? [];
    if (same === undefined) return readViewFile(name, text);
    const original = files[same];
    if (original === undefined) throw new LakeFileError(name, 'the name of a view', same);
    return { ...readViewFile(same, original), name, comment, select: `SELECT * FROM {views}.${same}` };
  });
}

/**
 * Reads a file: the view's comment, `reads:` and perhaps `adds:` and `rows: newest`, then one SELECT. Each column of the SELECT is one line
 * that ends with its comment. A column that shows the column of that name of a stored table needs none: it has the comment of
 * src/tables.
 *
 * @throws LakeFileError
 */
export function readViewFile(name: string, text: string): LakeView {
  const lines = text.trimEnd().split('\n');
  const start = lines.indexOf('SELECT');
  const head = lines.slice(0, start).map((line) => line.replace(/^-- ?/, ''));
  const [comment = ''] = head;
  const from = lines.findIndex((line, i) => i > start && /^FROM\b/.test(line));
  if (start < 1 || from < 0) throw new LakeFileError(name, 'a comment, SELECT and FROM', lines[0] ?? '');
  const [, table = '', alias = ''] = STORED.exec(lines[from] ?? '') ?? [];
  const columns = lines.slice(start + 1, from).map((line) => {
    const [, column, own] = COLUMN.exec(line) ?? [];
    const about =
      own ??
      (new RegExp(`\\b${alias}\\.${column}\\b`).test(line) ? columnComment(table, column ?? '') : null);
    if (!line.startsWith(INDENT) || column === undefined || about === null)
      throw new LakeFileError(
        name,
        'EXPRESSION AS NAME, -- COMMENT, or a column of a table in src/tables',
        line,
      );
    return { name: column, comment: about };
  });
  return {
    name,
    comment,
    reads: listed(head, 'reads'),
    adds: listed(head, 'adds'),
    isNewest: listed(head, 'rows').includes('newest'),
    columns,
    select: lines
      .slice(start)
      .map((line) => line.replace(/ -- .*$/, ''))
      .join('\n'),
  };
}

function listed(head: readonly string[], key: string): readonly string[] {
  const line = head.find((one) => one.startsWith(`${key}:`));
  return line === undefined
    ? []
    : line
        .slice(key.length + 1)
        .split(' ')
        .filter((name) => name !== '');
}
