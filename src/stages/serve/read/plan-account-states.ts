import type { VisibleRange } from '../serve-context.ts';
import type { AccountId } from './account-id.ts';
import { ACCOUNT_STATE_SELECT } from './account-state-row.ts';
import { accountParams, accountSet } from './key-lists.ts';
import { Conditions, type Statement } from './statement.ts';

/** A state by the account and the lt of its last transaction. */
export interface StateKey {
  readonly account: AccountId;
  readonly lt: string;
}

function keyConditions(keys: readonly StateKey[]): Conditions {
  const zipped =
    'arrayZip({state_accounts:Array(String)}, {state_workchains:Array(Int32)}, {state_lts:Array(UInt64)})';
  return new Conditions().add(
    `(account, workchain, lt) IN (SELECT toFixedString(unhex(s.1), 32), s.2, s.3 FROM (SELECT arrayJoin(${zipped}) AS s))`,
    {
      state_accounts: keys.map(({ account }) => account.hash),
      state_workchains: keys.map(({ account }) => account.workchain),
      state_lts: `[${keys.map(({ lt }) => lt).join(',')}]`,
    },
  );
}

/**
 * Of each account the newest state of all, which may be above the visible range. An older row of this table proves
 * nothing: merging drops the rows between it and the newest one.
 */
export function planNewest(database: string, accounts: readonly AccountId[]): Statement {
  const conditions = accountConditions(accounts);
  return conditions.statement(
    `SELECT ${ACCOUNT_STATE_SELECT} FROM ${database}.accounts_latest WHERE ${conditions.text}` +
      ' ORDER BY account DESC, workchain DESC, lt DESC LIMIT 1 BY account, workchain',
  );
}

/** Of each account the newest state at a masterchain block, from the history of states: keys first, then their rows. */
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
  return new Conditions().add(
    `(account, workchain) IN ${accountSet('accounts')}`,
    accountParams('accounts', accounts),
  );
}

/** States given at the start (a zerostate) stand below the first visible block, so there is no lower bound. */
function upTo(visible: VisibleRange, conditions: Conditions): Conditions {
  return conditions.add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
}

/**
 * What a page needs of accounts in one query: states by key (0), and of other accounts whether they were seen and
 * their newest code hash (1): columns kind, workchain, account, lt, hash, status, balance, extra, code, data, frozen.
 */
export function planPageAccounts(
  database: string,
  keys: readonly StateKey[],
  accounts: readonly AccountId[],
  visible: VisibleRange,
): Statement {
  const states = upTo(visible, keyConditions(keys));
  states.bind(accountParams('accounts', accounts));
  const codes =
    `SELECT account, workchain, code_hash FROM ${database}.accounts_latest WHERE (account, workchain) IN ${accountSet('accounts')}` +
    ' ORDER BY account, workchain, lt DESC LIMIT 1 BY account, workchain';
  const parts = [
    `SELECT 0, workchain, hex(account), lt, base64Encode(hash), toString(status), balance, extra, base64Encode(code_hash), base64Encode(data_hash), base64Encode(frozen_hash) FROM ${database}.account_states WHERE ${states.text}`,
    `SELECT 1, workchain, hex(account), 0, '', '', 0, CAST(map(), 'Map(UInt32, UInt256)'), base64Encode(code_hash), '', '' FROM (${codes})`,
  ];
  const used = [keys.length > 0, accounts.length > 0];
  return states.statement(parts.filter((_, i) => used[i]).join(' UNION ALL '));
}
