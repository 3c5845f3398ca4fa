import { accountParams, accountSet, hashList } from '../../query/key-lists.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { isScannedByTime, type TransactionFilter } from './filter.ts';

/** Every filter that is a plain condition on a transaction row: right on any path, whatever the path's own key is. */
export function transactionConditions(filter: TransactionFilter, visible: VisibleRange): Conditions {
  const conditions = new Conditions();
  addAccounts(conditions, filter);
  addBlock(conditions, filter);
  if (filter.hashes && filter.hashes.length > 0) {
    conditions.add(`hash IN ${hashList(filter.hashes)}`);
  }
  if (filter.lt !== undefined) conditions.add('lt = {lt:UInt64}', { lt: `${filter.lt}` });
  if (filter.startLt !== undefined)
    conditions.add('lt >= {start_lt:UInt64}', { start_lt: `${filter.startLt}` });
  if (filter.endLt !== undefined) conditions.add('lt <= {end_lt:UInt64}', { end_lt: `${filter.endLt}` });
  if (filter.startUtime !== undefined) {
    conditions.add('now >= {start_utime:UInt32}', { start_utime: filter.startUtime });
  }
  if (filter.endUtime !== undefined)
    conditions.add('now <= {end_utime:UInt32}', { end_utime: filter.endUtime });
  addPlace(conditions, filter);
  return boundToVisible(conditions, visible);
}

function addAccounts(
  conditions: Conditions,
  { accounts = [], excludeAccounts = [] }: TransactionFilter,
): void {
  const only = accounts[0];
  if (only && accounts.length === 1) {
    conditions.add('account = unhex({account:String}) AND workchain = {account_workchain:Int32}', {
      account: only.hash,
      account_workchain: only.workchain,
    });
  } else if (only) {
    conditions.add(`(account, workchain) IN ${accountSet('accounts')}`, accountParams('accounts', accounts));
  }
  if (excludeAccounts.length > 0) {
    conditions.add(
      `(account, workchain) NOT IN ${accountSet('exclude_accounts')}`,
      accountParams('exclude_accounts', excludeAccounts),
    );
  }
}

function addBlock(conditions: Conditions, filter: TransactionFilter): void {
  if (filter.workchain !== undefined) {
    conditions.add('workchain = {workchain:Int32}', { workchain: filter.workchain });
  }
  if (filter.shard !== undefined) conditions.add('shard = {shard:UInt64}', { shard: `${filter.shard}` });
  if (filter.seqno !== undefined) conditions.add('seqno = {seqno:UInt32}', { seqno: filter.seqno });
  if (filter.mcSeqno !== undefined) {
    conditions.add('mc_seqno = {mc_seqno:UInt32}', { mc_seqno: filter.mcSeqno });
  }
}

/** The rows after a scan's position: by (now, lt) if the list is by time, else by lt, ties by (workchain, account). */
function addPlace(conditions: Conditions, filter: TransactionFilter): void {
  const { after, descending } = filter.scan ?? {};
  if (!after) return;
  const sign = descending ? '<' : '>';
  const ties = '(workchain, account) > ({after_workchain:Int32}, unhex({after_account:String}))';
  const byLt = `lt ${sign}= {after_lt:UInt64} AND (lt ${sign} {after_lt:UInt64} OR ${ties})`;
  const byTime = `now ${sign}= {after_now:UInt32} AND (now ${sign} {after_now:UInt32} OR (${byLt}))`;
  const isByTime = isScannedByTime(filter);
  conditions.add(isByTime ? byTime : byLt, {
    after_lt: after.lt,
    after_workchain: after.workchain,
    after_account: after.account,
    ...(isByTime && { after_now: after.now }),
  });
}
