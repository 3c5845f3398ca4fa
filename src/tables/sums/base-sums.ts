/* Sums of transactions and messages by hour. */

import { TRANSACTIONS } from '../transactions.ts';
import type { SumColumn, Sums } from './sums.ts';

const count = (name: string, condition: string, comment: string): SumColumn => ({
  ...{ name, comment },
  type: 'Int64',
  from: condition === '' ? '1' : `toInt64(${condition})`,
});
const amount = (name: string, from: string, comment: string): SumColumn => ({
  ...{ name, comment },
  type: 'Int128',
  from: `toInt128(${from})`,
});
const same = (name: string, type: string, comment: string): SumColumn => ({
  name,
  type,
  comment,
  from: name,
});

export const TRANSACTION_HOURS: Sums = {
  name: 'transaction_hours',
  comment: 'Transactions by hour and outcome.',
  source: 'transactions',
  stored: 'transactions',
  time: 'now',
  by: [
    same('workchain', 'Int32', 'Workchain of the account.'),
    same('aborted', 'Bool', 'The transactions were aborted.'),
    same('compute_type', TRANSACTIONS.columns.compute_type.type, 'Form of the compute phase.'),
    same('compute_exit_code', 'Int32', 'Exit code of the TVM; 0 unless it ran.'),
    same('has_action', 'Bool', 'The transactions have an action phase.'),
    same('action_result_code', 'Int32', 'Result code of the action phase.'),
  ],
  sums: [
    count('transactions', '', 'Transactions.'),
    count(
      'activations',
      "end_status = 'active' AND orig_status != 'active'",
      'Transactions that activated the account.',
    ),
    amount('gas_used', 'compute_gas_used', 'Gas used, units.'),
    amount('total_fees', 'total_fees', 'All fees, nanotons.'),
    amount('gas_fees', 'compute_gas_fees', 'Gas fees, nanotons.'),
    amount('storage_fees', 'storage_fees_collected', 'Storage fees, nanotons.'),
    amount('forward_fees', 'ifNull(action_total_fwd_fees, 0)', 'Forward fees of actions, nanotons.'),
  ],
};

export const MESSAGE_HOURS: Sums = {
  name: 'message_hours',
  comment: 'Messages by hour, direction and kind.',
  source: 'messages',
  stored: 'messages',
  time: 'tx_now',
  by: [
    same('side', "Enum8('out' = 0, 'in' = 1)", 'Side of the message.'),
    same('kind', "Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2)", 'Kind of the message.'),
    same('bounced', 'Bool', 'The messages are bounced ones.'),
  ],
  sums: [
    count('messages', '', 'Messages.'),
    amount('value', 'value', 'Value, nanotons.'),
    amount('forward_fees', 'fwd_fee', 'Forward fees, nanotons.'),
  ],
};

/** Sums of `base`. */
export const BASE_SUMS: readonly Sums[] = [TRANSACTION_HOURS, MESSAGE_HOURS];

/** Sums of all projections. */
export const ALL_SUMS: readonly Sums[] = BASE_SUMS;
