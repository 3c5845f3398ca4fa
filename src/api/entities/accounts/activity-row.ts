import type { RawRow } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';

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

/** SELECT list of activity. */
export const ACTIVITY_SELECT: string = LIST.sql;

/** Reads a row of ACTIVITY_SELECT. */
export const activityRow: (values: RawRow) => ActivityRow = LIST.row;
