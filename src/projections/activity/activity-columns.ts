/** Columns of `land_activity` (clickhouse/activity): an account after a masterchain step with transactions of it. */
export const ACTIVITY_COLUMNS = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
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
