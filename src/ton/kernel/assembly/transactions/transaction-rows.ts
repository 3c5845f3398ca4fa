/** The rows of all transactions and messages; mirrors decode/transaction-rows.ts. */
import {
  TABLE_TRANSACTIONS, transactions_account, transactions_hash, transactions_lt, transactions_messages,
  transactions_now, transactions_orig_status, transactions_prev_trans_hash, transactions_prev_trans_lt,
  transactions_state_hash_after, transactions_state_hash_before, transactions_total_fees,
} from '../../build/columns';
import {
  A_ADDRESS, A_COUNT, A_FIRST, A_LAST_HASH, A_LAST_LT, A_LAST_NOW, A_NEW_HASH, A_OLD_HASH, A_ORIG_STATUS, A_PREV_LT,
  A_SPENT, accountAt, accountCount, TRANSACTIONS as CELLS,
} from '../accounts/changed-accounts';
import { completeMessages } from '../messages/message-parts';
import { packedSize, packMessage, PACK_VERSION } from '../messages/message-pack';
import {
  M_FWD_FEE, M_IHR_FEE, M_PACKED_SIZE, M_VALUE, messageCount, record,
} from '../messages/message-record';
import { putMessage } from '../messages/message-rows';
import { contradiction, copyHash, expectHash, TRANSACTIONS } from '../refuse';
import { beginRow, beginString, endRow, place, rows } from '../streams';
import { beginTransactions, MESSAGES_OF, OUT_MESSAGES, readTransaction } from './transaction';
import { addGrams, subtractGrams } from '../wide';

/** Reads all transactions, then writes what their messages lack and the rows of those. */
export function writeTransactions(): void {
  const first = rows(TABLE_TRANSACTIONS);
  beginTransactions();
  for (let i = 0; i < accountCount; i++) readAccount(i);
  completeMessages();
  for (let i = 0; i < messageCount; i++) store<u32>(record(i), <u32>packedSize(record(i)), M_PACKED_SIZE);
  for (let i = 0; i < accountCount; i++) {
    const account = accountAt(i);
    const from = load<i32>(account, A_FIRST);
    for (let k = 0; k < load<i32>(account, A_COUNT); k++) writeMessages(account, from + k, first + from + k);
  }
}

function readAccount(index: i32): void {
  const count = load<i32>(accountAt(index), A_COUNT);
  const first = load<i32>(accountAt(index), A_FIRST);
  if (count == 0) contradiction(TRANSACTIONS, 'an account without transactions', -1, 1, 0);
  for (let k = 0; k < count; k++) {
    const row = beginRow(TABLE_TRANSACTIONS);
    readTransaction(load<i32>(CELLS.start + ((<usize>(first + k)) << 2)), row);
    endRow(TABLE_TRANSACTIONS);
    checkLink(accountAt(index), row, k > 0);
  }
  summarise(accountAt(index), rows(TABLE_TRANSACTIONS) - count, count);
}

@inline
function lt(row: i32): u64 {
  return load<u64>(place(transactions_lt, row, 8));
}
@inline
function prevLt(row: i32): u64 {
  return load<u64>(place(transactions_prev_trans_lt, row, 8));
}

/** A transaction against its account block and the one before it. */
function checkLink(account: usize, row: i32, hasBefore: bool): void {
  const address = place(transactions_account, row, 32);
  expectHash(TRANSACTIONS, 'account of a transaction', account + A_ADDRESS, address);
  const oldHash = hasBefore ? place(transactions_state_hash_after, row - 1, 32) : account + A_OLD_HASH;
  expectHash(TRANSACTIONS, 'state before a transaction', oldHash, place(transactions_state_hash_before, row, 32));
  if (prevLt(row) >= lt(row)) contradiction(TRANSACTIONS, 'lt of a transaction', -1, prevLt(row), lt(row));
  if (!hasBefore) return;
  const before = place(transactions_hash, row - 1, 32);
  expectHash(TRANSACTIONS, 'transaction before', before, place(transactions_prev_trans_hash, row, 32));
  if (prevLt(row) != lt(row - 1)) contradiction(TRANSACTIONS, 'lt before', -1, lt(row - 1), prevLt(row));
}

function summarise(account: usize, first: i32, count: i32): void {
  const last = first + count - 1;
  const after = place(transactions_state_hash_after, last, 32);
  expectHash(TRANSACTIONS, 'state after the last transaction', account + A_NEW_HASH, after);
  store<u32>(account, load<u8>(place(transactions_orig_status, first, 1)), A_ORIG_STATUS);
  store<u64>(account, prevLt(first), A_PREV_LT);
  store<u64>(account, lt(last), A_LAST_LT);
  store<u32>(account, load<u32>(place(transactions_now, last, 4)), A_LAST_NOW);
  copyHash(place(transactions_hash, last, 32), account + A_LAST_HASH);
}

/** The message rows and the pack of one transaction, and what it cost its account. */
function writeMessages(account: usize, index: i32, row: i32): void {
  const refs = MESSAGES_OF.start + <usize>index * 12;
  const inMessage = load<i32>(refs);
  const first = load<i32>(refs, 4);
  const outCount = load<i32>(refs, 8);
  const hash = place(transactions_hash, row, 32);
  const now = load<u32>(place(transactions_now, row, 4));
  addGrams(account + A_SPENT, place(transactions_total_fees, row, 16));
  let size: usize = 3;
  if (inMessage >= 0) size += load<u32>(record(inMessage), M_PACKED_SIZE);
  for (let k = 0; k < outCount; k++) size += load<u32>(record(outMessage(first + k)), M_PACKED_SIZE);
  let to = beginString(transactions_messages, size);
  store<u8>(to, PACK_VERSION);
  store<u16>(to, <u16>(outCount + (inMessage < 0 ? 0 : 1)), 1);
  to += 3;
  if (inMessage >= 0) {
    const from = record(inMessage);
    subtractGrams(account + A_SPENT, from + M_VALUE);
    subtractGrams(account + A_SPENT, from + M_IHR_FEE);
    to = packMessage(from, false, to);
    putMessage(from, false, account + A_ADDRESS, lt(row), hash, now);
  }
  for (let k = 0; k < outCount; k++) {
    const from = record(outMessage(first + k));
    addGrams(account + A_SPENT, from + M_VALUE);
    addGrams(account + A_SPENT, from + M_FWD_FEE);
    addGrams(account + A_SPENT, from + M_IHR_FEE);
    to = packMessage(from, true, to);
    putMessage(from, true, account + A_ADDRESS, lt(row), hash, now);
  }
}

@inline
function outMessage(index: i32): i32 {
  return load<i32>(OUT_MESSAGES.start + ((<usize>index) << 2));
}
