import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMaybe } from '../maybe.ts';
import { unknownTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { loadSplitMergeInfo, type SplitMergeInfo } from './split-merge-info.ts';
import { loadTrActionPhase, type TrActionPhase } from './tr-action-phase.ts';
import { loadTrBouncePhase, type TrBouncePhase } from './tr-bounce-phase.ts';
import { loadTrComputePhase, type TrComputePhase } from './tr-compute-phase.ts';
import { loadTrCreditPhase, type TrCreditPhase } from './tr-credit-phase.ts';
import { loadTrStoragePhase, type TrStoragePhase } from './tr-storage-phase.ts';

export type TransactionKind =
  | 'ord'
  | 'storage'
  | 'tick_tock'
  | 'split_prepare'
  | 'split_install'
  | 'merge_prepare'
  | 'merge_install';

/**
 * All seven descriptions in one shape: a phase that the kind does not have, or that did not happen, is null, a flag
 * that the kind does not have is false.
 */
export interface TransactionDescr {
  readonly kind: TransactionKind;
  readonly creditFirst: boolean;
  readonly isTock: boolean;
  readonly installed: boolean;
  readonly aborted: boolean;
  readonly destroyed: boolean;
  readonly storage: TrStoragePhase | null;
  readonly credit: TrCreditPhase | null;
  readonly compute: TrComputePhase | null;
  readonly action: TrActionPhase | null;
  readonly bounce: TrBouncePhase | null;
  readonly splitInfo: SplitMergeInfo | null;
  /** Cell of the transaction that a split or merge installs; -1 for none. */
  readonly prepareTransaction: number;
}

type Fields = Partial<Omit<TransactionDescr, 'kind'>>;

function describe(kind: TransactionKind, fields: Fields): TransactionDescr {
  return {
    kind,
    creditFirst: fields.creditFirst ?? false,
    isTock: fields.isTock ?? false,
    installed: fields.installed ?? false,
    aborted: fields.aborted ?? false,
    destroyed: fields.destroyed ?? false,
    storage: fields.storage ?? null,
    credit: fields.credit ?? null,
    compute: fields.compute ?? null,
    action: fields.action ?? null,
    bounce: fields.bounce ?? null,
    splitInfo: fields.splitInfo ?? null,
    prepareTransaction: fields.prepareTransaction ?? -1,
  };
}

export function loadTransactionDescr(slice: CellSlice): TransactionDescr {
  const tag = slice.uint(3);
  switch (tag) {
    case 0b000:
      return slice.bit() ? loadTransStorage(slice) : loadTransOrd(slice);
    case 0b001:
      return loadTransTickTock(slice);
    case 0b010:
      return slice.bit() ? loadTransSplitInstall(slice) : loadTransSplitPrepare(slice);
    case 0b011:
      return slice.bit() ? loadTransMergeInstall(slice) : loadTransMergePrepare(slice);
    default:
      throw unknownTag(slice, 'TransactionDescr', tag);
  }
}

// action:(Maybe ^TrActionPhase)
function loadAction(slice: CellSlice): TrActionPhase | null {
  const cell = slice.maybeRef();
  return cell < 0 ? null : loadWholeCell(slice.boc, cell, 'TrActionPhase', loadTrActionPhase);
}

// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase)
//   destroyed:Bool = TransactionDescr;
function loadTransOrd(slice: CellSlice): TransactionDescr {
  return describe('ord', {
    creditFirst: slice.bit(),
    storage: loadMaybe(slice, loadTrStoragePhase),
    credit: loadMaybe(slice, loadTrCreditPhase),
    compute: loadTrComputePhase(slice),
    action: loadAction(slice),
    aborted: slice.bit(),
    bounce: loadMaybe(slice, loadTrBouncePhase),
    destroyed: slice.bit(),
  });
}

// trans_storage$0001 storage_ph:TrStoragePhase = TransactionDescr;
function loadTransStorage(slice: CellSlice): TransactionDescr {
  return describe('storage', { storage: loadTrStoragePhase(slice) });
}

// trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase
//   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
function loadTransTickTock(slice: CellSlice): TransactionDescr {
  return describe('tick_tock', {
    isTock: slice.bit(),
    storage: loadTrStoragePhase(slice),
    compute: loadTrComputePhase(slice),
    action: loadAction(slice),
    aborted: slice.bit(),
    destroyed: slice.bit(),
  });
}

// trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
function loadTransSplitPrepare(slice: CellSlice): TransactionDescr {
  return describe('split_prepare', {
    splitInfo: loadSplitMergeInfo(slice),
    storage: loadMaybe(slice, loadTrStoragePhase),
    compute: loadTrComputePhase(slice),
    action: loadAction(slice),
    aborted: slice.bit(),
    destroyed: slice.bit(),
  });
}

// trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction
//   installed:Bool = TransactionDescr;
function loadTransSplitInstall(slice: CellSlice): TransactionDescr {
  return describe('split_install', {
    splitInfo: loadSplitMergeInfo(slice),
    prepareTransaction: slice.ref(),
    installed: slice.bit(),
  });
}

// trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase
//   aborted:Bool = TransactionDescr;
function loadTransMergePrepare(slice: CellSlice): TransactionDescr {
  return describe('merge_prepare', {
    splitInfo: loadSplitMergeInfo(slice),
    storage: loadTrStoragePhase(slice),
    aborted: slice.bit(),
  });
}

// trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction
//   storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase
//   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
function loadTransMergeInstall(slice: CellSlice): TransactionDescr {
  return describe('merge_install', {
    splitInfo: loadSplitMergeInfo(slice),
    prepareTransaction: slice.ref(),
    storage: loadMaybe(slice, loadTrStoragePhase),
    credit: loadMaybe(slice, loadTrCreditPhase),
    compute: loadTrComputePhase(slice),
    action: loadAction(slice),
    aborted: slice.bit(),
    destroyed: slice.bit(),
  });
}
