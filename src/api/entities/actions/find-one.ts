import { type ReadScope, within } from '../../query/scope.ts';
import { and, identifier, sql } from '../../query/sql.ts';
import type { AddedSources } from '../../version-vector.ts';
import { ACTION_SELECT, type ActionRow, actionRow } from './model.ts';
import { isAction } from './plan.ts';

/** The action of an id (64 hex digits), of any type; null if there is none. One query. */
export async function readAction(
  { query }: Pick<ReadScope, 'query'>,
  { database, visible }: NonNullable<AddedSources['actions']>,
  actionId: string,
): Promise<ActionRow | null> {
  const own = and(within(visible), isAction(database, [actionId]));
  const [row] = await query(
    sql`SELECT ${ACTION_SELECT} FROM ${identifier(database, 'actions')} WHERE ${own} LIMIT 1`,
  );
  return row ? actionRow(row) : null;
}
