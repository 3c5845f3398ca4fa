import { ALL_TABLES } from './all-tables.ts';

/** Comments by folder of clickhouse, table and column, joined with points. */
const COMMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALL_TABLES).flatMap(([folder, { landed, targets }]) => [
    ...landed.flatMap(({ name, columns }) =>
      Object.entries(columns).map(
        ([column, { comment }]) => [`${folder}.${name}.${column}`, comment] as const,
      ),
    ),
    ...targets.flatMap(({ name, columns }) =>
      columns.map((column) => [`${folder}.${name}.${column.name}`, column.comment] as const),
    ),
  ]),
);

/** The comment of a column of a table, without its last full stop; null if there is no such table or column. */
export function columnComment(folder: string, table: string, column: string): string | null {
  return COMMENTS.get(`${folder}.${table}.${column}`)?.replace(/\.$/, '') ?? null;
}
