import type { ActivityRow } from '../../entities/accounts/activity.ts';
import { getAccount } from '../../entities/accounts/model.ts';
import { rawAddress } from '../../query/account-id.ts';
import type { AccountActivityAnswer } from '../schemas/activity.ts';

/** Activity of an account, from its first indexed transaction on. */
export function accountActivityAnswer(row: ActivityRow): AccountActivityAnswer {
  return {
    address: rawAddress(getAccount(row)),
    transactions: row.transactions,
    aborted_transactions: row.aborted,
    messages_in: row.messages_in,
    messages_out: row.messages_out,
    fees: row.fees,
    first_transaction_lt: row.first_lt,
    first_transaction_utime: row.first_utime,
    last_transaction_lt: row.last_lt,
    last_transaction_utime: row.last_utime,
  };
}
