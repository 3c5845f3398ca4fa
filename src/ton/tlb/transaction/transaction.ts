import type { Boc } from '../../boc/boc.ts';
import type { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';
import { type HashUpdate, loadHashUpdate } from '../hash-update.ts';
import { badValue, expectTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { type AccountStatus, loadAccountStatus } from './account-status.ts';
import { loadTransactionDescr, type TransactionDescr } from './transaction-descr.ts';

export interface Transaction {
  readonly accountAddr: Uint8Array;
  readonly lt: bigint;
  readonly prevTransHash: Uint8Array;
  readonly prevTransLt: bigint;
  readonly now: number;
  readonly origStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  /** Cell of the incoming message; -1 for none. */
  readonly inMsg: number;
  /** Cells of the outgoing messages, by index. */
  readonly outMsgs: readonly number[];
  readonly totalFees: CurrencyCollection;
  readonly stateUpdate: HashUpdate;
  readonly description: TransactionDescr;
}

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
//   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
//   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
//   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account)
//   description:^TransactionDescr = Transaction;
export function loadTransaction(slice: CellSlice): Transaction {
  const { boc } = slice;
  expectTag(slice, 4, 0b0111, 'Transaction');
  const accountAddr = slice.bytes(32);
  const lt = slice.u64();
  const prevTransHash = slice.bytes(32);
  const prevTransLt = slice.u64();
  const now = slice.uint(32);
  const outMsgCount = slice.uint(15);
  const origStatus = loadAccountStatus(slice);
  const endStatus = loadAccountStatus(slice);
  const messages = loadWholeCell(boc, slice.ref(), 'Transaction messages', loadMessageRefs);
  if (messages.outMsgs.length !== outMsgCount) {
    throw badValue(slice, 'Transaction.outmsg_cnt', messages.outMsgs.length, outMsgCount);
  }
  const totalFees = loadCurrencyCollection(slice);
  const stateUpdate = loadWholeCell(boc, slice.ref(), 'HASH_UPDATE', loadHashUpdate);
  const description = loadWholeCell(boc, slice.ref(), 'TransactionDescr', loadTransactionDescr);
  return {
    accountAddr,
    lt,
    prevTransHash,
    prevTransLt,
    now,
    origStatus,
    endStatus,
    ...messages,
    totalFees,
    stateUpdate,
    description,
  };
}

function loadMessageRefs(slice: CellSlice): { inMsg: number; outMsgs: number[] } {
  const inMsg = slice.maybeRef();
  const root = slice.maybeRef();
  return { inMsg, outMsgs: root < 0 ? [] : loadOutMsgs(slice.boc, root) };
}

/** Keys run from 0 without a gap; anything else is a CellError 'value'. */
function loadOutMsgs(boc: Boc, root: number): number[] {
  const cells: number[] = [];
  forEachLeaf(boc, root, 15, (key, value) => {
    const index = (((key[0] as number) << 8) | (key[1] as number)) >> 1;
    if (index !== cells.length) throw badValue(value, 'Transaction.out_msgs', cells.length, index);
    cells.push(value.ref());
    value.end('Transaction.out_msgs');
  });
  return cells;
}
