import { hash8, u64Array, u64Set } from '../../query/key-lists.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { addAccount, addMessageBounds, messageConditions } from './conditions.ts';
import type { MessageFilter } from './filter.ts';

export type MessagePath = 'hash' | 'body' | 'source' | 'destination' | 'opcode' | 'all';

/** Statement for the keys of a list of messages: rows (created_lt, hash8, created_at), in the order of created_lt. */
export interface MessageSource {
  readonly path: MessagePath;
  readonly table: string;
  readonly conditions: Conditions;
  /** True if every found row is on the list: no remaining filter needs `messages`. */
  readonly exact: boolean;
}

/** Picks the most selective index that the filters allow. */
export function messageSource(database: string, filter: MessageFilter, visible: VisibleRange): MessageSource {
  const path = getPath(filter);
  if (path === 'all' || path === 'hash') {
    const conditions = messageConditions(filter, visible);
    if (path === 'hash') addHashKeys(conditions, database, filter.hashes ?? []);
    return { path, table: `${database}.messages`, conditions, exact: true };
  }
  const conditions = boundToVisible(new Conditions(), visible);
  const table = addIndexKey(conditions, path, filter);
  addMessageBounds(conditions, filter);
  return { path, table: `${database}.${table}`, conditions, exact: isExact(path, filter) };
}

function getPath(filter: MessageFilter): MessagePath {
  if (filter.hashes && filter.hashes.length > 0) return 'hash';
  if (filter.bodyHash !== undefined) return 'body';
  if (filter.source) return 'source';
  if (filter.destination) return 'destination';
  return filter.opcode === undefined ? 'all' : 'opcode';
}

function addIndexKey(
  conditions: Conditions,
  path: Exclude<MessagePath, 'all' | 'hash'>,
  filter: MessageFilter,
): string {
  if (path === 'body' && filter.bodyHash !== undefined) {
    conditions.add('body8 = {body8:UInt64}', { body8: `${hash8(filter.bodyHash)}` });
    return 'message_bodies';
  }
  if (path === 'opcode' && filter.opcode !== undefined) {
    conditions.add('opcode = {opcode:UInt32}', { opcode: filter.opcode });
    return 'messages_by_opcode';
  }
  const side = path === 'source' ? 'source' : 'destination';
  const account = filter[side];
  if (account) addAccount(conditions, side, account);
  return `messages_by_${side}`;
}

/** The keys of messages by hash or normalised hash; the latter belong to external-in messages, whose created_lt is 0. */
function addHashKeys(conditions: Conditions, database: string, hashes: readonly string[]): void {
  const keys = u64Array(hashes.map(hash8));
  conditions.add(
    `(created_lt, hash8) IN (SELECT created_lt, hash8 FROM ${database}.message_hashes WHERE hash8 IN ${u64Set('hash8s')}` +
      ` UNION ALL SELECT 0, hash8 FROM ${database}.message_norm_hashes WHERE norm8 IN ${u64Set('hash8s')})`,
    { hash8s: keys },
  );
}

/** A body's index knows 8 bytes of its hash; no index knows the side or the other filters' columns. */
function isExact(path: MessagePath, filter: MessageFilter): boolean {
  const known = { body: 0, source: 1, destination: 1, opcode: 1, all: 0, hash: 0 }[path];
  const filters = [filter.bodyHash, filter.source, filter.destination, filter.opcode, filter.direction];
  return filters.filter((one) => one !== undefined).length === known;
}
