/* Sums of transactions and messages by hour. */

import { TRANSACTIONS } from '../transactions.ts';
import { buildAmount, buildCount, type Sums, sameColumn } from './sums.ts';

export const TRANSACTION_HOURS: Sums = {
  name: 'transaction_hours',
  comment: 'Transactions by hour and outcome.',
  source: 'transactions',
  stored: 'transactions',
  time: 'now',
  by: [
    sameColumn('workchain', 'Int32', 'Workchain of the account.'),
    sameColumn('aborted', 'Bool', 'The transactions were aborted.'),
    sameColumn('compute_type', TRANSACTIONS.columns.compute_type.type, 'Form of the compute phase.'),
    sameColumn('compute_exit_code', 'Int32', 'Exit code of the TVM; 0 unless it ran.'),
    sameColumn('has_action', 'Bool', 'The transactions have an action phase.'),
    sameColumn('action_result_code', 'Int32', 'Result code of the action phase.'),
  ],
  sums: [
    buildCount('transactions', '', 'Transactions.'),
    buildCount(
      'activations',
      "end_status = 'active' AND orig_status != 'active'",
      'Transactions that activated the account.',
    ),
    buildAmount('gas_used', 'compute_gas_used', 'Gas used, units.'),
    buildAmount('total_fees', 'total_fees', 'All fees, nanotons.'),
    buildAmount('gas_fees', 'compute_gas_fees', 'Gas fees, nanotons.'),
    buildAmount('storage_fees', 'storage_fees_collected', 'Storage fees, nanotons.'),
    buildAmount('forward_fees', 'ifNull(action_total_fwd_fees, 0)', 'Forward fees of actions, nanotons.'),
  ],
};

export const MESSAGE_HOURS: Sums = {
  name: 'message_hours',
  comment: 'Messages by hour, direction and kind.',
  source: 'messages',
  stored: 'messages',
  time: 'tx_now',
  by: [
    sameColumn('side', "Enum8('out' = 0, 'in' = 1)", 'Side of the message.'),
    sameColumn('kind', "Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2)", 'Kind of the message.'),
    sameColumn('bounced', 'Bool', 'The messages are bounced ones.'),
  ],
  sums: [
    buildCount('messages', '', 'Messages.'),
    buildAmount('value', 'value', 'Value, nanotons.'),
    buildAmount('forward_fees', 'fwd_fee', 'Forward fees, nanotons.'),
  ],
};

/** Sums of `base`. */
export const BASE_SUMS: readonly Sums[] = [TRANSACTION_HOURS, MESSAGE_HOURS];
