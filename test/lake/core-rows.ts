/** Rows of `transactions` and `messages` of the lake, from what @ton/core reads from blocks. */
import { Cell } from '@ton/core';
import type { BlockHeader } from '../../src/ton/decode/block-header.ts';
import { openBlock } from '../../src/ton/decode/open-block.ts';
import {
  coreMessageRows,
  coreTransactionRow,
  type PlainRow,
  transactionCells,
} from '../e2e/differential-core.ts';
import type { Row } from './lake-server.ts';

/** A block, and the masterchain block that committed it. */
export interface CommittedBlock {
  readonly header: BlockHeader;
  readonly bytes: Uint8Array;
  readonly mcSeqno: number;
}

const NO_HASH = '00'.repeat(32);
const base64 = (hex: unknown) => Buffer.from(String(hex), 'hex').toString('base64');
const hashOrNull = (hex: unknown) => (hex === NO_HASH ? null : base64(hex));
const addressOf = (workchain: unknown, hex: unknown) => `${workchain}:${String(hex).toUpperCase()}`;

/** Rows of `transactions`. */
export function coreTransactions({ header, bytes, mcSeqno }: CommittedBlock): readonly Row[] {
  return transactionCells(bytes).map((cell) => toTransaction(coreTransactionRow(cell), header, mcSeqno));
}

function toTransaction(row: PlainRow, { workchain, shard, seqno }: BlockHeader, mcSeqno: number): Row {
  return {
    account: addressOf(workchain, row.account),
    hash: base64(row.hash),
    lt: row.lt,
    block_workchain: workchain,
    block_shard: BigInt.asIntN(64, shard),
    block_seqno: seqno,
    mc_block_seqno: mcSeqno,
    prev_trans_hash: base64(row.prev_trans_hash),
    prev_trans_lt: row.prev_trans_lt,
    now: row.now,
    orig_status: row.orig_status,
    end_status: row.end_status,
    total_fees: row.total_fees,
    account_state_hash_before: base64(row.state_hash_before),
    account_state_hash_after: base64(row.state_hash_after),
    descr: row.type,
    aborted: row.aborted,
    destroyed: row.destroyed,
    credit_first: row.type === 'ord' ? row.credit_first : null,
    is_tock: row.type === 'tick_tock' ? row.is_tock : null,
    ...phases(row),
  };
}

function phases(row: PlainRow): Row {
  const hasStorage = row.storage_status_change !== 'none';
  const vm = (value: unknown) => (row.compute_type === 'vm' ? value : null);
  const action = (value: unknown) => (row.has_action ? value : null);
  const bounced = (value: unknown) =>
    row.bounce_type === 'ok' || row.bounce_type === 'nofunds' ? value : null;
  return {
    storage_fees_collected: hasStorage ? row.storage_fees_collected : null,
    storage_fees_due: row.storage_fees_due,
    storage_status_change: hasStorage ? row.storage_status_change : null,
    credit_due_fees_collected: row.credit_due_fees_collected,
    credit: row.has_credit ? row.credit : null,
    compute_skipped: row.compute_type === 'none' ? null : row.compute_type === 'skipped',
    skipped_reason: row.compute_skip_reason === 'none' ? null : row.compute_skip_reason,
    compute_success: vm(row.compute_success),
    compute_msg_state_used: vm(row.compute_msg_state_used),
    compute_account_activated: vm(row.compute_account_activated),
    compute_gas_fees: vm(row.compute_gas_fees),
    compute_gas_used: vm(row.compute_gas_used),
    compute_gas_limit: vm(row.compute_gas_limit),
    compute_gas_credit: row.compute_gas_credit,
    compute_mode: vm(row.compute_mode),
    compute_exit_code: vm(row.compute_exit_code),
    compute_exit_arg: row.compute_exit_arg,
    compute_vm_steps: vm(row.compute_vm_steps),
    compute_vm_init_state_hash: vm(base64(row.compute_vm_init_state_hash)),
    compute_vm_final_state_hash: vm(base64(row.compute_vm_final_state_hash)),
    action_success: action(row.action_success),
    action_valid: action(row.action_valid),
    action_no_funds: action(row.action_no_funds),
    action_status_change: row.action_status_change === 'none' ? null : row.action_status_change,
    action_total_fwd_fees: row.action_total_fwd_fees,
    action_total_action_fees: row.action_total_action_fees,
    action_result_code: action(row.action_result_code),
    action_result_arg: row.action_result_arg,
    action_tot_actions: action(row.action_tot_actions),
    action_spec_actions: action(row.action_spec_actions),
    action_skipped_actions: action(row.action_skipped_actions),
    action_msgs_created: action(row.action_msgs_created),
    action_action_list_hash: action(base64(row.action_list_hash)),
    action_tot_msg_size_cells: action(row.action_tot_msg_cells),
    action_tot_msg_size_bits: action(row.action_tot_msg_bits),
    bounce: row.bounce_type === 'none' ? null : row.bounce_type,
    bounce_msg_size_cells: bounced(row.bounce_msg_cells),
    bounce_msg_size_bits: bounced(row.bounce_msg_bits),
    bounce_req_fwd_fees: row.bounce_type === 'nofunds' ? row.bounce_req_fwd_fees : null,
    bounce_msg_fees: row.bounce_type === 'ok' ? row.bounce_msg_fees : null,
    bounce_fwd_fees: row.bounce_type === 'ok' ? row.bounce_fwd_fees : null,
  };
}

/** Text of a body with opcode 0, without zero bytes; null for another body. */
function toComment({ opcode, body }: PlainRow): string | null {
  if (opcode !== 0) return null;
  const slice = Cell.fromBoc(Buffer.from(String(body), 'hex'))[0]!.beginParse();
  slice.loadUint(32);
  return slice.loadStringTail().replaceAll('\0', '');
}

/** Rows of `messages`. */
export function coreMessages({ bytes }: CommittedBlock): readonly Row[] {
  const version = openBlock(bytes).info.genSoftware?.version ?? 0;
  return transactionCells(bytes).flatMap((cell) => {
    const transaction = coreTransactionRow(cell);
    return coreMessageRows(cell, version).map((row) => toMessage(row, transaction));
  });
}

function toMessage(row: PlainRow, transaction: PlainRow): Row {
  const isExternalIn = row.kind === 'ext_in';
  const internal = (value: unknown) => (row.kind === 'internal' ? value : null);
  const end = (side: 'source' | 'destination') =>
    row[`${side}_kind`] === 'std' ? addressOf(row[`${side}_workchain`], row[side]) : null;
  return {
    tx_hash: base64(transaction.hash),
    tx_lt: transaction.lt,
    tx_now: transaction.now,
    msg_hash: base64(row.hash),
    direction: row.side,
    source: end('source'),
    destination: end('destination'),
    value: internal(row.value),
    fwd_fee: internal(row.fwd_fee),
    ihr_fee: internal(row.ihr_fee),
    created_lt: isExternalIn ? null : row.created_lt,
    created_at: isExternalIn ? transaction.now : row.created_at,
    opcode: row.opcode === null ? null : Number(row.opcode) | 0,
    ihr_disabled: internal(row.ihr_disabled),
    bounce: internal(row.bounce),
    bounced: internal(row.bounced),
    import_fee: isExternalIn ? row.import_fee : null,
    body_hash: base64(row.body_hash),
    init_state_hash: hashOrNull(row.init_hash),
    // Bags are compared by the hash of their root.
    body_boc: base64(row.body_hash),
    init_state_boc: hashOrNull(row.init_hash),
    comment: toComment(row),
  };
}
