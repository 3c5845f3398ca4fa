import { direction, type Page } from '../../query/page.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { messageConditions } from '../messages/conditions.ts';
import { getSegments, type MessageFilter } from '../messages/filter.ts';
import { keyArray, keySet, type MessageKey } from '../messages/key.ts';
import { messageSource } from '../messages/paths.ts';
import { PACKED_TABLE, TRANSACTION_SELECT } from './model.ts';
import { TIES } from './order.ts';

const TX_KEY = 'tx_lt, tx_account, tx_workchain';

/** The transactions at the ends of messages that are named by hash, by lt. One statement. */
export function planByMessageHash(
  database: string,
  filter: MessageFilter,
  page: Page,
  visible: VisibleRange,
): Statement {
  const { table, conditions } = messageSource(database, filter, visible);
  conditions.bind({ limit: page.limit, offset: page.offset });
  return conditions.statement(
    byKeys(database, `SELECT ${TX_KEY} FROM ${table} WHERE ${conditions.text}`, page),
  );
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
): { readonly transactions: Statement; readonly count: Statement } {
  const { table, conditions } = messageSource(database, filter, visible);
  const dir = direction(page);
  const first = (lt: string, order: string) =>
    `SELECT created_lt, hash8 FROM ${table} WHERE ${conditions.text} AND ${lt} ORDER BY ${order} LIMIT 1 BY created_lt, hash8 LIMIT {candidates:UInt32}`;
  const { external } = getSegments(filter);
  const segments = [
    first('created_lt > 0', `created_lt ${dir}, hash8 ${dir}`),
    ...(external ? [first('created_lt = 0', `mc_seqno ${dir}, hash8 ${dir}`)] : []),
  ];
  const keys = segments.map((segment) => `(${segment})`).join(' UNION ALL ');
  const rest = messageConditions(filter, visible).add(`(created_lt, hash8) IN (${keys})`);
  const ends = `SELECT ${TX_KEY} FROM ${database}.messages WHERE ${rest.text}`;
  const params = { ...conditions.params, ...rest.params, candidates };
  return {
    transactions: {
      sql: byKeys(database, ends, page),
      params: { ...params, limit: page.limit, offset: page.offset },
    },
    count: { sql: `SELECT toUInt32(count()) FROM (${keys})`, params },
  };
}

/** The transactions at those ends of some messages that pass a filter, in no order. */
export function planByMessageKeys(
  database: string,
  filter: MessageFilter,
  keys: readonly MessageKey[],
  visible: VisibleRange,
): Statement {
  const ends = messageConditions(filter, visible).add(`(created_lt, hash8) IN ${keySet('keys')}`, {
    keys: keyArray(keys),
  });
  return ends.statement(
    `SELECT ${TRANSACTION_SELECT} FROM ${database}.${PACKED_TABLE} WHERE (lt, account, workchain) IN` +
      ` (SELECT ${TX_KEY} FROM ${database}.messages WHERE ${ends.text})` +
      ' AND mc_seqno >= {visible_first:UInt32} AND mc_seqno <= {visible_last:UInt32}',
  );
}

function byKeys(database: string, keys: string, page: Page): string {
  return (
    `SELECT ${TRANSACTION_SELECT} FROM ${database}.${PACKED_TABLE} WHERE (lt, account, workchain) IN (${keys})` +
    ' AND mc_seqno >= {visible_first:UInt32} AND mc_seqno <= {visible_last:UInt32}' +
    ` ORDER BY lt ${direction(page)}${TIES} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`
  );
}

/** One end of a message: the transaction that sent (`out`) or received (`in`) it. */
export interface MessageEnd extends MessageKey {
  readonly side: 'in' | 'out';
}

/** The transactions at given ends of messages, oldest first: parents and children of a transaction. */
export function planByMessageEnds(
  database: string,
  ends: readonly MessageEnd[],
  visible: VisibleRange,
): Statement {
  const conditions = boundToVisible(new Conditions(), visible);
  const side = (name: 'in' | 'out') => {
    const parameter = `ends_${name}`;
    conditions.bind({ [parameter]: keyArray(ends.filter((end) => end.side === name)) });
    return `side = '${name}' AND (created_lt, hash8) IN ${keySet(parameter)}`;
  };
  const keys = `SELECT ${TX_KEY} FROM ${database}.messages WHERE ((${side('in')}) OR (${side('out')})) AND ${conditions.text}`;
  return conditions.statement(
    `SELECT ${TRANSACTION_SELECT} FROM ${database}.${PACKED_TABLE} WHERE (lt, account, workchain) IN (${keys})` +
      ` AND ${conditions.text} ORDER BY lt${TIES}`,
  );
}
