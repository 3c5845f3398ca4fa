import { hash8, hashList, u64List } from '../../query/key-lists.ts';
import { boundToVisible, type ReadScope } from '../../query/scope.ts';
import { Conditions } from '../../query/statement.ts';
import type { AddedSources } from '../../version-vector.ts';
import { ACTION_SELECT, type ActionRow, actionRow } from './model.ts';

/** The action of an id (64 hex digits), of any type; null if there is none. One query. */
export async function readAction(
  { query }: Pick<ReadScope, 'query'>,
  { database, visible }: NonNullable<AddedSources['actions']>,
  actionId: string,
): Promise<ActionRow | null> {
  const conditions = boundToVisible(new Conditions(), visible);
  const traces = `SELECT trace_end_lt, trace8 FROM ${database}.action_ids WHERE id8 IN ${u64List([hash8(actionId)])}`;
  conditions.add(`(trace_end_lt, trace8) IN (${traces}) AND action_id IN ${hashList([actionId])}`);
  const [row] = await query(
    conditions.statement(`SELECT ${ACTION_SELECT} FROM ${database}.actions WHERE ${conditions.text} LIMIT 1`),
  );
  return row ? actionRow(row) : null;
}
