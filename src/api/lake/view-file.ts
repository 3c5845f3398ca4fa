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
  /** Columns of projections that it needs, as projection.table.column: an older version may lack them. */
  readonly needs: readonly string[];
  /** The view over versions that lack them. Default: there is none. */
  readonly older?: LakeView;
  /** True if the rows are current states, so a row of a past day can change. */
  readonly isNewest: boolean;
  readonly columns: readonly { readonly name: string; readonly comment: string }[];
  /** The statement, with macros (macros.ts). */
  readonly select: string;
}

/** A file of clickhouse/lake/views that cannot be read. */
export class LakeFileError extends DataError {
  constructor(view: string, expected: string, found: string) {
    super(`clickhouse/lake/views/${view}.sql: expected ${expected}, found ${JSON.stringify(found)}`);
  }
}

const COLUMN = / AS (\w+),?(?: -- (\S.*))?$/;
/** A stored table of a projection, and its name in the statement. */
const STORED = /\b(?:FROM|JOIN) \{(\w+)\}\.(\w+) AS (\w+)/g;
const INDENT = '    ';

/** Folder of views over versions that lack a column, as a prefix of their names. */
export const OLDER = 'older/';

/** Reads the files of views, by name; `older/NAME`: the view over versions that lack what NAME needs. A file with `same: VIEW` and no statement is that view under a second name. */
export function readViewFiles(files: Readonly<Record<string, string>>): readonly LakeView[] {
  const views = Object.entries(files).filter(([name]) => !name.startsWith(OLDER));
  return views.map(([name, text]) => {
    const [comment = '', second = ''] = text.split('\n').map((line) => line.replace(/^-- ?/, ''));
    const [, same] = /^same: (\w+)$/.exec(second) ?? [];
    const older = files[`${OLDER}${name}`];
    if (same === undefined)
      return { ...readViewFile(name, text), ...(older && { older: readViewFile(name, older) }) };
    const original = files[same];
    if (original === undefined) throw new LakeFileError(name, 'the name of a view', same);
    return { ...readViewFile(same, original), name, comment, select: `SELECT * FROM {views}.${same}` };
  });
}

/** The comment of src/tables for a line that shows one column of one stored table; null for another line. */
function storedComment(line: string, stored: ReadonlyMap<string, readonly [string, string]>): string | null {
  const shown = [...line.matchAll(/\b(\w+)\.(\w+)\b/g)].flatMap(([, alias = '', column = '']) => {
    const table = stored.get(alias);
    return table ? [columnComment(...table, column)] : [];
  });
  const [comment = null, ...others] = new Set(shown);
  return comment === null || others.length > 0 ? null : asShown(comment, line);
}

/** A view may show null for what is stored as a value, and a time as a date. */
function asShown(comment: string, line: string): string {
  const isNullable = /NULL|nullIf\(|\{hash /.test(line);
  const shown = isNullable
    ? comment.replace(/; (zeros|empty|'none'|NULL|0) (for|if|without)\b/, '; null $2')
    : comment.replace('; NULL if', '; null if');
  if (!line.includes('toDateTime(')) return shown;
  const date = line.includes('toDate(') ? shown.replace(/^Time/, 'Date') : shown;
  return date.replace('Unix seconds', 'UTC');
}

/**
 * Reads a file: the view's comment, `reads:` and perhaps `adds:`, `needs:` and `rows: newest`, then one SELECT. Each column of the
 * SELECT is one line, which ends with its comment. A line without one must show one column of one stored table: it has the comment
 * of src/tables.
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
  const tables = [...text.matchAll(STORED)];
  const stored = new Map(
    tables.map(([, folder = '', table = '', alias = '']) => [alias, [folder, table] as const]),
  );
  const columns = lines.slice(start + 1, from).map((line) => {
    const [, column, own] = COLUMN.exec(line) ?? [];
    const about = own ?? storedComment(line, stored);
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
    needs: listed(head, 'needs'),
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
