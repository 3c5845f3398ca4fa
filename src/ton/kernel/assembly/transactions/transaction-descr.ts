/** The seven descriptions of a transaction; mirrors tlb/transaction/transaction-descr.ts. A phase that is absent writes nothing. */
import {
  transactions_aborted, transactions_credit_first, transactions_destroyed, transactions_installed,
  transactions_is_tock, transactions_split_info, transactions_type, TYPE_MERGE_INSTALL, TYPE_MERGE_PREPARE, TYPE_ORD,
  TYPE_SPLIT_INSTALL, TYPE_SPLIT_PREPARE, TYPE_STORAGE, TYPE_TICK_TOCK,
} from '../../build/columns';
import { bad, bit, bytes32, enter, leave, ref, uint } from '../bags/cursor';
import { actionPhase, bouncePhase, computePhase, creditPhase, noPhases, storagePhase } from './phases';
import { beginString, put8 } from '../streams';

export function readDescription(cell: i32, row: i32): void {
  enter(cell);
  noPhases(row);
  const tag = uint(3);
  if (tag == 0b000) {
    if (bit()) storage(row);
    else ordinary(row);
  } else if (tag == 0b001) {
    tickTock(row);
  } else if (tag == 0b010) {
    if (bit()) install(row, TYPE_SPLIT_INSTALL);
    else splitPrepare(row);
  } else if (tag == 0b011) {
    if (bit()) mergeInstall(row);
    else mergePrepare(row);
  } else {
    bad('TransactionDescr', 0b011, tag);
  }
  if (tag < 2) beginString(transactions_split_info, 0);
  leave('TransactionDescr');
}

/**
 *     trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
 *       compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase)
 *       destroyed:Bool = TransactionDescr;
 */
function ordinary(row: i32): void {
  put8(transactions_type, row, TYPE_ORD);
  put8(transactions_credit_first, row, bit() ? 1 : 0);
  if (bit()) storagePhase(row);
  creditPhase(row, bit());
  computePhase(row);
  actionPhase(row);
  put8(transactions_aborted, row, bit() ? 1 : 0);
  if (bit()) bouncePhase(row);
  put8(transactions_destroyed, row, bit() ? 1 : 0);
}

/** trans_storage$0001 storage_ph:TrStoragePhase = TransactionDescr; */
function storage(row: i32): void {
  put8(transactions_type, row, TYPE_STORAGE);
  storagePhase(row);
  creditPhase(row, false);
}

/** ... compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool */
function run(row: i32): void {
  computePhase(row);
  actionPhase(row);
  put8(transactions_aborted, row, bit() ? 1 : 0);
  put8(transactions_destroyed, row, bit() ? 1 : 0);
}

/** trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase ... = TransactionDescr; */
function tickTock(row: i32): void {
  put8(transactions_type, row, TYPE_TICK_TOCK);
  put8(transactions_is_tock, row, bit() ? 1 : 0);
  storagePhase(row);
  creditPhase(row, false);
  run(row);
}

/** trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase) ... = TransactionDescr; */
function splitPrepare(row: i32): void {
  put8(transactions_type, row, TYPE_SPLIT_PREPARE);
  splitInfo();
  if (bit()) storagePhase(row);
  creditPhase(row, false);
  run(row);
}

/** trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction installed:Bool */
function install(row: i32, type: u8): void {
  put8(transactions_type, row, type);
  splitInfo();
  ref();
  put8(transactions_installed, row, bit() ? 1 : 0);
  creditPhase(row, false);
}

/** trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:Bool = TransactionDescr; */
function mergePrepare(row: i32): void {
  put8(transactions_type, row, TYPE_MERGE_PREPARE);
  splitInfo();
  storagePhase(row);
  put8(transactions_aborted, row, bit() ? 1 : 0);
  creditPhase(row, false);
}

/**
 *     trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction
 *       storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase) ... = TransactionDescr;
 */
function mergeInstall(row: i32): void {
  put8(transactions_type, row, TYPE_MERGE_INSTALL);
  splitInfo();
  ref();
  if (bit()) storagePhase(row);
  creditPhase(row, bit());
  run(row);
}

/**
 *     split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6)
 *       this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo;
 */
function splitInfo(): void {
  const to = beginString(transactions_split_info, 66);
  store<u8>(to, <u8>uint(6));
  store<u8>(to, <u8>uint(6), 1);
  bytes32(to + 2);
  bytes32(to + 34);
}
