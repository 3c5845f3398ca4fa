import { GRAMS, HASH } from './base-types.ts';
import { PART, STEP } from './contract-types.ts';
import { coded, columnTypes, defineTable } from './table.ts';
import { buildCopy } from './target.ts';

const FAST = 'LZ4';
const RISING_FAST = 'Delta, LZ4';

export const ACTIVITY = defineTable({
  name: 'activity',
  version: 2,
  comment: 'What an account did up to a masterchain step that has transactions of it.',
  key: ['workchain', 'account', 'mc_seqno'],
  columns: {
    mc_seqno: coded('UInt32', RISING_FAST, STEP),
    part: coded('UInt16', FAST, PART),
    workchain: coded('Int32', FAST, 'Workchain of the account.'),
    account: coded(HASH, FAST, 'Id of the account in its workchain.'),
    first_utime: coded('UInt32', FAST, 'Time of the first transaction, Unix seconds.'),
    first_lt: coded('UInt64', FAST, 'Logical time of the first transaction.'),
    last_utime: coded('UInt32', RISING_FAST, 'Time of the last transaction, Unix seconds.'),
    last_lt: coded('UInt64', RISING_FAST, 'Logical time of the last transaction.'),
    is_new: coded('Bool', FAST, 'The account had no transaction before this step.'),
    new_hours: coded(
      'String',
      FAST,
      'Hours since 1970 in which the step has the first transaction of the account in the hour; u32, little endian.',
    ),
    new_days: coded(
      'String',
      FAST,
      'Days since 1970 in which the step has the first transaction of the account on the day; u32, little endian.',
    ),
    transactions: coded('UInt64', FAST, 'Transactions.'),
    aborted: coded('UInt64', FAST, 'Aborted transactions.'),
    messages_in: coded('UInt64', FAST, 'Received messages.'),
    messages_out: coded('UInt64', FAST, 'Sent messages.'),
    fees: coded(GRAMS, FAST, 'Paid fees, nanotons.'),
  },
});

export const ACTIVITY_TYPES = columnTypes(ACTIVITY);

export const ACTIVITY_TARGET = buildCopy(ACTIVITY, {
  orderBy: ['account', 'workchain', 'mc_seqno'],
  shard: 'cityHash64(account)',
});
