/** Reads a transaction into its row; mirrors tlb/transaction/transaction.ts, decode/transaction-row.ts. */
import {
  TABLE_TRANSACTIONS, transactions_account, transactions_end_status, transactions_hash, transactions_lt,
  transactions_mc_seqno, transactions_now, transactions_orig_status, transactions_out_msg_count,
  transactions_prev_trans_hash, transactions_prev_trans_lt, transactions_seqno, transactions_shard,
  transactions_state_hash_after, transactions_state_hash_before, transactions_total_fees,
  transactions_total_fees_extra_ends, transactions_workchain,
} from '../../build/columns';
import { Area } from '../area';
import { mcSeqno, seqno, shard, workchain } from '../announced';
import { currencies, putCurrencies } from '../currencies';
import { bad, bytes32, end, enter, expectTag, keep, leave, maybeRef, ref, restore, uint, uint64 } from '../bags/cursor';
import { nextLeaf, openWalk, walkKey } from '../bags/dictionary';
import { hashOf } from '../bags/hash-cells';
import { hashUpdate } from '../accounts/hash-update';
import { readMessage } from '../messages/message';
import { place, put16, put32, put64, put8, putHash } from '../streams';
import { readDescription } from './transaction-descr';

/** By transaction: number of the incoming message's record or -1, first of the outgoing ones, how many. */
export const MESSAGES_OF = new Area();
/** Numbers of the outgoing messages' records. */
export const OUT_MESSAGES = new Area();

export function beginTransactions(): void {
  MESSAGES_OF.length = 0;
  OUT_MESSAGES.length = 0;
}

/**
 *     transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
 *       outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
 *       ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
 *       total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account)
 *       description:^TransactionDescr = Transaction;
 */
export function readTransaction(cell: i32, row: i32): void {
  enter(cell);
  putHash(transactions_hash, row, hashOf(cell));
  put32(transactions_mc_seqno, row, mcSeqno);
  put32(transactions_workchain, row, workchain);
  put64(transactions_shard, row, shard);
  put32(transactions_seqno, row, seqno);
  expectTag(4, 0b0111, 'Transaction');
  bytes32(place(transactions_account, row, 32));
  put64(transactions_lt, row, uint64(64));
  bytes32(place(transactions_prev_trans_hash, row, 32));
  put64(transactions_prev_trans_lt, row, uint64(64));
  put32(transactions_now, row, uint(32));
  const outMessages = <i32>uint(15);
  put16(transactions_out_msg_count, row, outMessages);
  // The codes of AccountStatus and of the column are the same.
  put8(transactions_orig_status, row, uint(2));
  put8(transactions_end_status, row, uint(2));
  readMessages(ref(), outMessages);
  const extra = currencies(place(transactions_total_fees, row, 16));
  putCurrencies(transactions_total_fees_extra_ends, row, extra);
  const before = place(transactions_state_hash_before, row, 32);
  hashUpdate(ref(), before, place(transactions_state_hash_after, row, 32));
  readDescription(ref(), row);
  leave('Transaction');
}

function readMessages(cell: i32, outMessages: i32): void {
  enter(cell);
  const inMessage = maybeRef();
  const root = maybeRef();
  MESSAGES_OF.push32(inMessage < 0 ? -1 : readMessage(inMessage));
  MESSAGES_OF.push32(<u32>(OUT_MESSAGES.length >> 2));
  const found = root < 0 ? 0 : readOutMessages(root);
  MESSAGES_OF.push32(found);
  leave('Transaction messages');
  if (found != outMessages) bad('Transaction.outmsg_cnt', found, outMessages);
}

/** Keys run from 0 without a gap. */
function readOutMessages(root: i32): i32 {
  let count = 0;
  keep();
  openWalk(root, 15, false);
  while (nextLeaf()) {
    const index = <i32>(bswap<u16>(load<u16>(walkKey())) >>> 1);
    if (index != count) bad('Transaction.out_msgs', count, index);
    OUT_MESSAGES.push32(readMessage(ref()));
    end('Transaction.out_msgs');
    count++;
  }
  restore();
  return count;
}
