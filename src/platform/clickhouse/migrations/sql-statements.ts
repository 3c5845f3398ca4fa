import { DataError } from '../../errors/error-kinds.ts';

/** The end of what starts at `at`, or `at` where nothing does: a quoted text, a comment. */
function endOfQuoted(sql: string, at: number): number {
  const quote = sql[at];
  for (let i = at + 1; i < sql.length; i++) {
    if (sql[i] === '\\') i++;
    else if (sql[i] === quote) return i + 1;
  }
  throw new SqlTextError(`the quote ${quote} at ${at} is not closed`);
}

function endOfComment(sql: string, at: number): number {
  if (sql.startsWith('--', at)) {
    const end = sql.indexOf('\n', at);
    return end < 0 ? sql.length : end;
  }
  const end = sql.indexOf('*/', at);
  if (end < 0) throw new SqlTextError(`the comment at ${at} is not closed`);
  return end + 2;
}

/** A file of SQL that cannot be cut into statements. */
export class SqlTextError extends DataError {}

/**
 * Cuts a file into statements at `;`, leaving comments out. Quotes ('…', "…", `…`) and comments may hold a `;`; the
 * last statement may lack its own.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (let at = 0; at < sql.length; ) {
    const char = sql[at] as string;
    if (sql.startsWith('--', at) || sql.startsWith('/*', at)) {
      at = endOfComment(sql, at);
    } else if (char === "'" || char === '"' || char === '`') {
      const end = endOfQuoted(sql, at);
      current += sql.slice(at, end);
      at = end;
    } else {
      if (char === ';') {
        statements.push(current);
        current = '';
      } else current += char;
      at++;
    }
  }
  return [...statements, current]
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
