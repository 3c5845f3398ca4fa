/* Active and new accounts by hour and day. */
import { buildCount, type Sums, sameColumn } from './sums.ts';

/** Numbers of a String of u32, little endian. */
const numbers = (column: string) =>
  `arrayMap(i -> reinterpretAsUInt32(substring(${column}, 4 * i + 1, 4)), range(intDiv(length(${column}), 4)))`;

function accountSums(name: string, comment: string, column: 'new_hours' | 'new_days', seconds: number): Sums {
  return {
    ...{ name, comment },
    source: 'activity',
    stored: 'activity',
    time: `toUInt32(begun * ${seconds})`,
    join: `ARRAY JOIN ${numbers(column)} AS begun`,
    by: [sameColumn('workchain', 'Int32', 'Workchain of the accounts.')],
    sums: [
      buildCount('active', '', 'Accounts with a transaction.'),
      buildCount(
        'new',
        `is_new AND intDiv(first_utime, ${seconds}) = begun`,
        'Accounts whose first indexed transaction is here.',
      ),
    ],
  };
}

/** Sums of `activity`. */
export const ACTIVITY_SUMS: readonly Sums[] = [
  accountSums('account_hours', 'Active and new accounts by hour.', 'new_hours', 3_600),
  accountSums('account_days', 'Active and new accounts by day.', 'new_days', 86_400),
];
