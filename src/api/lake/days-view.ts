import { lastVisible } from './range-view.ts';
import type { LakeSources } from './sources.ts';
import { isVisible } from './visible.ts';

/** Tables of last balances by day, and of all balances by time. */
interface DayTables {
  readonly projection: string;
  readonly days: string;
  readonly byTime: string;
  /** Columns that the last row of a day has. */
  readonly values: readonly string[];
}

const ACCOUNTS: DayTables = {
  projection: 'base',
  days: 'balance_days',
  byTime: 'balances_by_time',
  values: ['balance'],
};
const WALLETS: DayTables = {
  projection: 'contracts',
  days: 'wallet_days',
  byTime: 'wallet_balances',
  values: ['owner', 'owner_workchain', 'parent', 'parent_workchain', 'child_code', 'amount'],
};

/** The last visible balance of each account on each day that changed it. */
export const newestByDay = (sources: LakeSources): string => getNewestByDay(sources, ACCOUNTS);

/** The last visible balance of each jetton wallet, with its owner and master, on each day that changed its account. */
export const newestWalletsByDay = (sources: LakeSources): string => getNewestByDay(sources, WALLETS);

/** The newest visible row of a day. Rows that newer ones have replaced are read by time. */
function getNewestByDay(sources: LakeSources, { projection, days, byTime, values }: DayTables): string {
  const database = sources.databases[projection];
  const last = lastVisible(sources, projection);
  const day = "toDate(toDateTime(t.now, 'UTC'))";
  const open = `SELECT account, workchain, toDate(toDateTime(now, 'UTC')) FROM ${database}.${byTime} WHERE mc_seqno > ${last}`;
  const columns = (alias: string) => values.map((name) => `${alias}.${name}`).join(', ');
  const chosen = values.map((name) => `argMax(r.${name}, r.lt) AS ${name}`).join(', ');
  return (
    `(SELECT r.account AS account, r.workchain AS workchain, r.day AS day, ${chosen} FROM (SELECT s.account, s.workchain, s.day, s.lt, ${columns('s')} FROM ${database}.${days} AS s WHERE s.day > toDate(0) AND ${isVisible(sources, projection, 's')}` +
    ` UNION ALL SELECT t.account, t.workchain, ${day} AS day, t.lt, ${columns('t')} FROM ${database}.${byTime} AS t WHERE t.now > 0 AND ${isVisible(sources, projection, 't')} AND (t.account, t.workchain, ${day}) IN (${open})) AS r GROUP BY r.account, r.workchain, r.day)`
  );
}
