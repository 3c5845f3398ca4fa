import { type AccountId, rawAddress } from '../../read/account-id.ts';
import { hashOrNull } from '../../read/none-account.ts';
import { type PageAccounts, stateOf } from '../../read/read-page-accounts.ts';
import { shardHex } from '../../read/shard-text.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import type { TransactionAnswer, TransactionStateAnswer } from '../schemas/transaction.ts';
import { descriptionAnswer } from './description-answer.ts';
import { messageAnswer } from './message-answer.ts';

/**
 * Transaction of v3-models.md section 5, its keys in the order of the real server. `trace_id` is absent until the
 * projection of traces exists.
 */
export function transactionAnswer(row: TransactionRow, page: PageAccounts): TransactionAnswer {
  const account = { workchain: row.workchain, hash: row.account };
  const incoming = row.messages.find((message) => message.direction === 'in');
  return {
    account: rawAddress(account),
    hash: row.hash,
    lt: row.lt,
    now: row.now,
    mc_block_seqno: row.mc_seqno,
    prev_trans_hash: row.prev_trans_hash,
    prev_trans_lt: row.prev_trans_lt,
    orig_status: row.orig_status,
    end_status: row.end_status,
    total_fees: row.total_fees,
    total_fees_extra_currencies: row.total_fees_extra,
    description: descriptionAnswer(row),
    block_ref: { workchain: row.workchain, shard: shardHex(row.shard), seqno: row.seqno },
    in_msg: incoming ? messageAnswer(incoming) : null,
    out_msgs: row.messages.filter((message) => message.direction === 'out').map(messageAnswer),
    account_state_before: stateAnswer(page, account, row.prev_trans_lt, row.state_hash_before),
    account_state_after: stateAnswer(page, account, row.lt, row.state_hash_after),
    emulated: false,
    finality: 'finalized',
  };
}

function stateAnswer(
  page: PageAccounts,
  account: AccountId,
  lt: string,
  hash: string,
): TransactionStateAnswer {
  const state = stateOf(page, account, lt, hash);
  return {
    hash,
    balance: state?.balance ?? null,
    extra_currencies: state?.extra ?? null,
    account_status: state?.status ?? null,
    frozen_hash: state ? hashOrNull(state.frozen_hash) : null,
    data_hash: state ? hashOrNull(state.data_hash) : null,
    code_hash: state ? hashOrNull(state.code_hash) : null,
  };
}
