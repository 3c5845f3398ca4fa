import type { AccountId } from '../../query/account-id.ts';
import { accountParams, accountSet } from '../../query/key-lists.ts';
import type { ReadScope } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import { ACTIVITY_SELECT, type ActivityRow, activityRow } from './activity-row.ts';

/**
 * Activity of accounts after a masterchain block of the visible range, by address; accounts without a transaction by
 * then are absent. One query for at most `KEYS_PER_PARAMETER` accounts.
 */
export async function readActivity(
  scope: ReadScope<'activity'>,
  accounts: readonly AccountId[],
  mcSeqno: number,
): Promise<readonly ActivityRow[]> {
  return (await scope.query(planActivity(scope.databases.activity, accounts, mcSeqno))).map(activityRow);
}

/** An account has a row for every step in which it was active: its newest one, keys first for several accounts. */
export function planActivity(database: string, accounts: readonly AccountId[], mcSeqno: number): Statement {
  const [only] = accounts;
  const table = `${database}.activity`;
  const conditions = new Conditions();
  const upTo = () => conditions.add('mc_seqno <= {mc_seqno:UInt32}', { mc_seqno: mcSeqno });
  if (only && accounts.length === 1) {
    const { hash: account, workchain } = only;
    conditions.add('account = unhex({account:String}) AND workchain = {workchain:Int32}', {
      account,
      workchain,
    });
    upTo();
    return conditions.statement(
      `SELECT ${ACTIVITY_SELECT} FROM ${table} WHERE ${conditions.text} ORDER BY account DESC, workchain DESC, mc_seqno DESC LIMIT 1`,
    );
  }
  conditions.add(`(account, workchain) IN ${accountSet('accounts')}`, accountParams('accounts', accounts));
  upTo();
  const keys = `SELECT account, workchain, max(mc_seqno) FROM ${table} WHERE ${conditions.text} GROUP BY account, workchain`;
  return conditions.statement(
    `SELECT ${ACTIVITY_SELECT} FROM ${table} WHERE (account, workchain, mc_seqno) IN (${keys}) ORDER BY workchain, account`,
  );
}
