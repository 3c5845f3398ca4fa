import { fillSelects } from '../../src/api/query/fill-selects.ts';
import { Sql } from '../../src/api/query/sql.ts';
import type { Statement } from '../../src/api/query/statement.ts';

/** Text and parameters of a statement for this release's tables. */
export function rendered(statement: Sql | Statement): Statement {
  if (statement instanceof Sql) return statement.render(null);
  return { ...statement, sql: fillSelects(statement.sql, null) };
}
