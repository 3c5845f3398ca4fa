import type { AccountId } from '../../query/account-id.ts';
import { hashSet } from '../../query/key-lists.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { MessageFilter } from './filter.ts';

/** Every filter as a condition on rows of `messages`: right on any path. */
export function messageConditions(filter: MessageFilter, visible: VisibleRange): Conditions {
  const conditions = boundToVisible(new Conditions(), visible);
  if (filter.hashes && filter.hashes.length > 0) {
    conditions.add(`(hash IN ${hashSet('hashes')} OR hash_norm IN ${hashSet('hashes')})`, {
      hashes: filter.hashes,
    });
  }
  if (filter.bodyHash !== undefined) {
    conditions.add('body_hash = unhex({body_hash:String})', { body_hash: filter.bodyHash });
  }
  if (filter.opcode !== undefined) conditions.add('opcode = {opcode:UInt32}', { opcode: filter.opcode });
  if (filter.direction) conditions.add('side = {side:String}', { side: filter.direction });
  addParty(conditions, 'source', filter.source);
  addParty(conditions, 'destination', filter.destination);
  if (filter.externals) conditions.add(filter.externals === 'only' ? 'created_lt = 0' : 'created_lt > 0');
  return addMessageBounds(conditions, filter);
}

function addParty(
  conditions: Conditions,
  side: 'source' | 'destination',
  party: AccountId | null | undefined,
): void {
  if (party === null) conditions.add(side === 'source' ? "kind = 'ext_in'" : "kind = 'ext_out'");
  else if (party) addAccount(conditions, side, party);
}

/** The key prefix of the index tables by party, and a condition on `messages` as well. */
export function addAccount(
  conditions: Conditions,
  side: 'source' | 'destination',
  { hash, workchain }: AccountId,
): void {
  conditions.add(
    `${side} = unhex({${side}:String}) AND ${side}_workchain = {${side}_workchain:Int32} AND ${side}_kind = 'std'`,
    { [side]: hash, [`${side}_workchain`]: workchain },
  );
}

/** Bounds of creation lt and time: on `messages` and on its indexes. */
export function addMessageBounds(conditions: Conditions, filter: MessageFilter): Conditions {
  if (filter.startUtime !== undefined) {
    conditions.add('created_at >= {start_utime:UInt32}', { start_utime: filter.startUtime });
  }
  if (filter.endUtime !== undefined) {
    conditions.add('created_at <= {end_utime:UInt32}', { end_utime: filter.endUtime });
  }
  if (filter.startLt !== undefined) {
    conditions.add('created_lt >= {start_lt:UInt64}', { start_lt: `${filter.startLt}` });
  }
  if (filter.endLt !== undefined) {
    conditions.add('created_lt <= {end_lt:UInt64}', { end_lt: `${filter.endLt}` });
  }
  return conditions;
}
