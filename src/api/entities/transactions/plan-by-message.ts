import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import { type Page, toLimit, way } from '../../query/page.ts';
import { within } from '../../query/scope.ts';
import { and, identifier, join, type Sql, sql, u32 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { passes } from '../messages/conditions.ts';
import { getSegments, type MessageFilter } from '../messages/filter.ts';
import { type MessageKey, toKeySet } from '../messages/key.ts';
import { messageSource } from '../messages/paths.ts';
import { TRANSACTION_SELECT } from './model.ts';
import { BY_LT } from './order.ts';

const ENDS = sql`SELECT tx_lt, tx_account, tx_workchain FROM`;

/** The transactions at the ends of messages that are named by hash, by lt. One statement. */
export function planByMessageHash(
  database: string,
  filter: MessageFilter,
  page: Page,
  visible: VisibleRange,
): Sql {
  const { table, where } = messageSource(database, filter, visible);
  return sql`${byKeys(database, sql`${ENDS} ${table} WHERE ${where}`, visible)} ${paged(page)}`;
}

/**
 * The transactions at the ends of the first `candidates` messages of a filter's index, by lt, and the statement for the
 * number of messages. The index is ordered by the messages' creation; external-in messages have no such time, so their
 * transaction's masterchain block decides.
 */
export function planByMessageIndex(
  database: string,
  filter: MessageFilter,
  page: Page,
  { visible, candidates }: { readonly visible: VisibleRange; readonly candidates: number },
): { readonly transactions: Sql; readonly count: Sql } {
  const { table, where } = messageSource(database, filter, visible);
  const dir = way(page);
  const first = (lt: Sql, column: Sql) =>
    sql`(SELECT created_lt, hash8 FROM ${table} WHERE ${where} AND ${lt} ORDER BY ${column} ${dir}, hash8 ${dir} LIMIT 1 BY created_lt, hash8 LIMIT ${u32(candidates)})`;
  const { external } = getSegments(filter);
  const segments = [
    first(sql`created_lt > 0`, sql`created_lt`),
    ...(external ? [first(sql`created_lt = 0`, sql`mc_seqno`)] : []),
  ];
  const keys = join(segments, ' UNION ALL ');
  const rest = and(passes(filter, visible), sql`(created_lt, hash8) IN (${keys})`);
  const ends = sql`${ENDS} ${identifier(database, 'messages')} WHERE ${rest}`;
  return {
    transactions: sql`${byKeys(database, ends, visible)} ${paged(page)}`,
    count: sql`SELECT toUInt32(count()) FROM (${keys})`,
  };
}

/** The transactions at those ends of some messages that pass a filter, in no order. */
export function planByMessageKeys(
  database: string,
  filter: MessageFilter,
  keys: readonly MessageKey[],
  visible: VisibleRange,
): Sql {
  const own = and(passes(filter, visible), sql`(created_lt, hash8) IN ${toKeySet(keys)}`);
  return byKeys(database, sql`${ENDS} ${identifier(database, 'messages')} WHERE ${own}`, visible);
}

function byKeys(database: string, keys: Sql, visible: VisibleRange): Sql {
  return sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(database, PACKED_TABLE)} WHERE (lt, account, workchain) IN (${keys}) AND ${within(visible)}`;
}

function paged(page: Page): Sql {
  return sql`ORDER BY ${BY_LT.by(page.descending)} ${toLimit(page)}`;
}

/** One end of a message: the transaction that sent (`out`) or received (`in`) it. */
export interface MessageEnd extends MessageKey {
  readonly side: 'in' | 'out';
}

/** The transactions at given ends of messages, oldest first: parents and children of a transaction. */
export function planByMessageEnds(database: string, ends: readonly MessageEnd[], visible: VisibleRange): Sql {
  const of = (name: MessageEnd['side']) => toKeySet(ends.filter(({ side }) => side === name));
  const isEnd = sql`((side = 'in' AND (created_lt, hash8) IN ${of('in')}) OR (side = 'out' AND (created_lt, hash8) IN ${of('out')}))`;
  const keys = sql`${ENDS} ${identifier(database, 'messages')} WHERE ${isEnd} AND ${within(visible)}`;
  return sql`${byKeys(database, keys, visible)} ORDER BY ${BY_LT.by(false)}`;
}
