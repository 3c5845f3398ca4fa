import type { AccountId } from '../../query/account-id.ts';
import { accountCondition } from '../../query/key-lists.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { ACCOUNT_STATE_SELECT } from './model.ts';

/**
 * Newest state of each account, perhaps above the visible range, and perhaps others before a merge: at most one a part,
 * fewer than sorting is worth. An older row of this table proves nothing: merging drops the rows between it and the
 * newest one.
 */
export function planNewest(database: string, accounts: readonly AccountId[]): Statement {
  const conditions = accountConditions(accounts);
  return conditions.statement(
    `SELECT ${ACCOUNT_STATE_SELECT} FROM ${database}.accounts_latest PREWHERE ${conditions.text}`,
  );
}

/** Newest state of each account at a masterchain block, from the history of states: keys first, then their rows. */
export function planAt(database: string, accounts: readonly AccountId[], mcSeqno: number): Statement {
  const conditions = upTo({ first: 0, last: mcSeqno }, accountConditions(accounts));
  const table = `${database}.account_states`;
  const keys = `SELECT account, workchain, max(lt) FROM ${table} WHERE ${conditions.text} GROUP BY account, workchain`;
  return conditions.statement(
    `SELECT ${ACCOUNT_STATE_SELECT} FROM ${table} WHERE (account, workchain, lt) IN (${keys})` +
      ' AND mc_seqno <= {visible_last:UInt32} LIMIT 1 BY account, workchain',
  );
}

function accountConditions(accounts: readonly AccountId[]): Conditions {
  const [only] = accounts;
  if (only && accounts.length === 1) {
    return new Conditions().add('account = unhex({account:String}) AND workchain = {workchain:Int32}', {
      account: only.hash,
      workchain: only.workchain,
    });
  }
  return accountCondition(accounts, new Conditions());
}

/** States given at the start (a zerostate) are below the first visible block, so there is no lower bound. */
function upTo(visible: VisibleRange, conditions: Conditions): Conditions {
  return conditions.add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
}
