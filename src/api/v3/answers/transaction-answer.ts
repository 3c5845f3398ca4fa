import type { PackedState } from '../../../ton/columns/packed-state.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { hashOrNull, NONE_ACCOUNT_HASH } from '../../entities/accounts/none-account.ts';
import { shardHex } from '../../entities/blocks/shard-text.ts';
import { NO_TRACE_IDS, type TraceIds } from '../../entities/traces/ids.ts';
import type { EarlierStates } from '../../entities/transactions/earlier-states.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { rawAddress } from '../../query/account-id.ts';
import { descriptionAnswer } from '../schemas/description.ts';
import type { TransactionAnswer, TransactionStateAnswer } from '../schemas/transaction.ts';
import type { MessageBodies } from './answer-bodies.ts';
import { currencies, messageAnswer } from './message-answer.ts';

/** Fields in the fixed part of a packed transaction. */
export const HEAD_FIELDS: ReadonlySet<string> = new Set([
  'account',
  'hash',
  'lt',
  'now',
  'mc_block_seqno',
  'trace_id',
  'trace_external_hash',
  'prev_trans_hash',
  'prev_trans_lt',
  'block_ref',
  'emulated',
  'finality',
]);

/** The fields that a transaction begins with: which it is, its trace, and the one before it. */
function placeAnswer(row: TransactionRow, traces: TraceIds) {
  return {
    account: rawAddress({ workchain: row.workchain, hash: row.account }),
    hash: row.hash,
    lt: row.lt,
    now: row.now,
    mc_block_seqno: row.mc_seqno,
    ...traces.get(row.hash),
    prev_trans_hash: row.prev_trans_hash,
    prev_trans_lt: row.prev_trans_lt,
  };
}

/** A transaction with only `HEAD_FIELDS`. */
export function headAnswer(row: TransactionRow, traces: TraceIds) {
  return {
    ...placeAnswer(row, traces),
    block_ref: { workchain: row.workchain, shard: shardHex(row.shard), seqno: row.seqno },
    emulated: false,
    finality: 'finalized',
  } as const;
}

/**
 * Transaction of v3-models.md section 5, its keys in the real server's order. `trace_id` is absent if its trace is
 * unknown, `trace_external_hash` if no external message started it.
 */
export function transactionAnswer(
  row: TransactionRow,
  earlier: EarlierStates,
  bodies: MessageBodies,
  traces: TraceIds = NO_TRACE_IDS,
): TransactionAnswer {
  const incoming = row.messages.find((message) => message.direction === 'in');
  return {
    ...placeAnswer(row, traces),
    orig_status: row.orig_status,
    end_status: row.end_status,
    total_fees: row.total_fees,
    total_fees_extra_currencies: row.total_fees_extra,
    description: descriptionAnswer(row),
    block_ref: { workchain: row.workchain, shard: shardHex(row.shard), seqno: row.seqno },
    in_msg: incoming ? messageAnswer(incoming, bodies) : null,
    out_msgs: row.messages
      .filter((message) => message.direction === 'out')
      .map((message) => messageAnswer(message, bodies)),
    account_state_before: stateBefore(row, earlier),
    account_state_after: stateAnswer(row.state_hash_after, row.states.after),
    emulated: false,
    finality: 'finalized',
  };
}

function stateBefore(row: TransactionRow, earlier: EarlierStates): TransactionStateAnswer {
  const state = row.states.before ?? earlier.get(row.state_hash_before);
  if (!state || 'codeHash' in state) return stateAnswer(row.state_hash_before, state ?? null);
  return {
    hash: state.hash,
    balance: state.balance,
    extra_currencies: state.extra,
    account_status: state.status,
    frozen_hash: hashOrNull(state.frozen_hash),
    data_hash: hashOrNull(state.data_hash),
    code_hash: hashOrNull(state.code_hash),
  };
}

/** Between two transactions of one account in one block only the hash is known. */
function stateAnswer(hash: string, state: PackedState | null): TransactionStateAnswer {
  if (hash === NONE_ACCOUNT_HASH) return { hash, ...NO_ACCOUNT };
  return {
    hash,
    balance: state ? `${state.balance}` : null,
    extra_currencies: state ? currencies(state.extra) : null,
    account_status: state?.status ?? null,
    frozen_hash: state?.frozenHash ? toBase64(state.frozenHash) : null,
    data_hash: state?.dataHash ? toBase64(state.dataHash) : null,
    code_hash: state?.codeHash ? toBase64(state.codeHash) : null,
  };
}

/** The state of a missing account follows from its hash. */
const NO_ACCOUNT = {
  balance: '0',
  extra_currencies: {},
  account_status: 'nonexist',
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
} as const;
