import type { AccountId } from '../../query/account-id.ts';
import { isAccount, toAccountSet } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';
import { identifier, type Sql, sql, u32, unsafeSql } from '../../query/sql.ts';

/** Columns of the table `activity` (clickhouse/activity) that answers show. */
const COLUMNS = {
  workchain: 'Int32',
  account: 'FixedString(32)',
  first_utime: 'UInt32',
  first_lt: 'UInt64',
  last_utime: 'UInt32',
  last_lt: 'UInt64',
  transactions: 'UInt64',
  aborted: 'UInt64',
  messages_in: 'UInt64',
  messages_out: 'UInt64',
  fees: 'UInt128',
} as const;

const LIST = selectList(COLUMNS);

/** An account's counters after a masterchain step; `account` hex, wide integers decimal text. */
export type ActivityRow = SelectedRow<typeof COLUMNS>;

const SELECT = unsafeSql(LIST.sql);

/**
 * Activity of accounts after a masterchain block of the visible range, by address; accounts without a transaction by
 * then are absent. One query for at most `KEYS_PER_PARAMETER` accounts.
 */
export async function readActivity(
  scope: ReadScope<'activity'>,
  accounts: readonly AccountId[],
  mcSeqno: number,
): Promise<readonly ActivityRow[]> {
  return (await scope.query(planActivity(scope.databases.activity, accounts, mcSeqno))).map(LIST.row);
}

/** An account has a row for every step in which it was active: its newest one, keys first for several accounts. */
export function planActivity(database: string, accounts: readonly AccountId[], mcSeqno: number): Sql {
  const [only] = accounts;
  const [activity, upTo] = [identifier(database, 'activity'), sql`mc_seqno <= ${u32(mcSeqno)}`];
  if (only && accounts.length === 1)
    return sql`SELECT ${SELECT} FROM ${activity} WHERE ${isAccount(only)} AND ${upTo} ORDER BY account DESC, workchain DESC, mc_seqno DESC LIMIT 1`;
  const keys = sql`SELECT account, workchain, max(mc_seqno) FROM ${activity} WHERE (account, workchain) IN ${toAccountSet(accounts)} AND ${upTo} GROUP BY account, workchain`;
  return sql`SELECT ${SELECT} FROM ${activity} WHERE (account, workchain, mc_seqno) IN (${keys}) ORDER BY workchain, account`;
}
