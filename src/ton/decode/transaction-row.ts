import type { BaseColumns } from '../columns/base-columns.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';
import type { SplitMergeInfo } from '../tlb/transaction/split-merge-info.ts';
import type { TrActionPhase } from '../tlb/transaction/tr-action-phase.ts';
import type { TrBouncePhase } from '../tlb/transaction/tr-bounce-phase.ts';
import type { TrCreditPhase } from '../tlb/transaction/tr-credit-phase.ts';
import type { TrStoragePhase } from '../tlb/transaction/tr-storage-phase.ts';
import type { Transaction } from '../tlb/transaction/transaction.ts';
import type { BlockMeta } from './block-meta.ts';
import { writeComputePhase } from './compute-columns.ts';
import { TRANSACTION_CODES } from './enum-codes.ts';

type Columns = BaseColumns['tables']['transactions']['col'];

const NO_HASH = new Uint8Array(32);
const NO_BYTES = new Uint8Array(0);

/** A transaction with the hash of its cell. */
export interface HashedTransaction {
  readonly transaction: Transaction;
  readonly hash: Uint8Array;
}

/** Packed columns of a transaction: its messages and its account's states. */
export interface TransactionPacks {
  readonly messages: Uint8Array;
  readonly states: Uint8Array;
}

/** Writes one row of `transactions`. Phases that did not happen are zeros. */
export function writeTransactionRow(
  columns: BaseColumns,
  meta: BlockMeta,
  hashed: HashedTransaction,
  packs: TransactionPacks,
): void {
  const { transaction } = hashed;
  const { col } = columns.tables.transactions;
  const { description } = transaction;
  writeHead(col, meta, hashed);
  col.type.push(TRANSACTION_CODES.type[description.kind]);
  col.aborted.push(description.aborted);
  col.destroyed.push(description.destroyed);
  col.credit_first.push(description.creditFirst);
  col.is_tock.push(description.isTock);
  col.installed.push(description.installed);
  writeStoragePhase(col, description.storage);
  writeCreditPhase(col, description.credit);
  writeComputePhase(col, description.compute);
  writeActionPhase(col, description.action);
  writeBouncePhase(col, description.bounce);
  col.split_info.push(description.splitInfo ? splitInfoBytes(description.splitInfo) : NO_BYTES);
  col.out_msg_count.push(transaction.outMsgs.length);
  col.messages.push(packs.messages);
  col.states.push(packs.states);
  columns.tables.transactions.endRow();
}

function writeHead(col: Columns, meta: BlockMeta, { transaction, hash }: HashedTransaction): void {
  col.mc_seqno.push(meta.mcSeqno);
  col.workchain.push(meta.workchain);
  col.shard.push(meta.shard);
  col.seqno.push(meta.seqno);
  col.account.push(transaction.accountAddr);
  col.lt.push(transaction.lt);
  col.hash.push(hash);
  col.prev_trans_hash.push(transaction.prevTransHash);
  col.prev_trans_lt.push(transaction.prevTransLt);
  col.now.push(transaction.now);
  col.orig_status.push(TRANSACTION_CODES.orig_status[transaction.origStatus]);
  col.end_status.push(TRANSACTION_CODES.end_status[transaction.endStatus]);
  col.total_fees.push(transaction.totalFees.grams);
  col.total_fees_extra.push(transaction.totalFees.extra);
  col.state_hash_before.push(transaction.stateUpdate.oldHash);
  col.state_hash_after.push(transaction.stateUpdate.newHash);
}

function writeStoragePhase(col: Columns, phase: TrStoragePhase | null): void {
  col.storage_status_change.push(TRANSACTION_CODES.storage_status_change[phase?.statusChange ?? 'none']);
  col.storage_fees_collected.push(phase?.feesCollected ?? 0n);
  col.storage_fees_due.push(phase?.feesDue ?? null);
}

function writeCreditPhase(col: Columns, phase: TrCreditPhase | null): void {
  col.has_credit.push(phase !== null);
  col.credit_due_fees_collected.push(phase?.dueFeesCollected ?? null);
  col.credit.push(phase?.credit.grams ?? 0n);
  col.credit_extra.push(phase?.credit.extra ?? NO_CURRENCIES);
}

function writeActionPhase(col: Columns, phase: TrActionPhase | null): void {
  col.has_action.push(phase !== null);
  col.action_success.push(phase?.success ?? false);
  col.action_valid.push(phase?.valid ?? false);
  col.action_no_funds.push(phase?.noFunds ?? false);
  col.action_status_change.push(TRANSACTION_CODES.action_status_change[phase?.statusChange ?? 'none']);
  col.action_total_fwd_fees.push(phase?.totalFwdFees ?? null);
  col.action_total_action_fees.push(phase?.totalActionFees ?? null);
  col.action_result_code.push(phase?.resultCode ?? 0);
  col.action_result_arg.push(phase?.resultArg ?? null);
  col.action_tot_actions.push(phase?.totActions ?? 0);
  col.action_spec_actions.push(phase?.specActions ?? 0);
  col.action_skipped_actions.push(phase?.skippedActions ?? 0);
  col.action_msgs_created.push(phase?.msgsCreated ?? 0);
  col.action_list_hash.push(phase?.actionListHash ?? NO_HASH);
  col.action_tot_msg_cells.push(phase?.totMsgSize.cells ?? 0n);
  col.action_tot_msg_bits.push(phase?.totMsgSize.bits ?? 0n);
}

function writeBouncePhase(col: Columns, phase: TrBouncePhase | null): void {
  const size = phase && phase.kind !== 'negfunds' ? phase.msgSize : null;
  col.bounce_type.push(TRANSACTION_CODES.bounce_type[phase?.kind ?? 'none']);
  col.bounce_msg_cells.push(size?.cells ?? 0n);
  col.bounce_msg_bits.push(size?.bits ?? 0n);
  col.bounce_req_fwd_fees.push(phase?.kind === 'nofunds' ? phase.reqFwdFees : 0n);
  col.bounce_msg_fees.push(phase?.kind === 'ok' ? phase.msgFees : 0n);
  col.bounce_fwd_fees.push(phase?.kind === 'ok' ? phase.fwdFees : 0n);
}

function splitInfoBytes(info: SplitMergeInfo): Uint8Array {
  const bytes = new Uint8Array(66);
  bytes[0] = info.curShardPfxLen;
  bytes[1] = info.accSplitDepth;
  bytes.set(info.thisAddr, 2);
  bytes.set(info.siblingAddr, 34);
  return bytes;
}
