import type { SelectList } from '../query/select-list.ts';
import { type Sql, versionedSql } from '../query/sql.ts';

/** The SELECT list of a table of the read version. A column that an older version lacks is NULL. */
export function selectServed<Row>(list: Pick<SelectList<Row>, 'within'>, table: string): Sql {
  return versionedSql((tables) => list.within(tables?.[table]));
}
