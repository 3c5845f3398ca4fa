import { Sql } from '../../src/api/query/sql.ts';
import type { Statement } from '../../src/api/query/statement.ts';

/** Text and parameters of a statement for this release's tables. */
export function rendered(statement: Sql | Statement): Statement {
  return statement instanceof Sql ? statement.render(null) : statement;
}
