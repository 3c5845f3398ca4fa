/**
 * Rows of `account_states` and `account_cells`, and the transactions' `states`; mirrors decode/account-rows.ts,
 * decode/account-row.ts.
 */
import {
  account_cells_account, account_cells_boc, account_cells_hash, account_cells_lt, account_cells_mc_seqno,
  account_cells_whole, account_cells_workchain, account_states_account, account_states_balance,
  account_states_code_hash, account_states_data_hash, account_states_due_payment, account_states_due_payment_is_null,
  account_states_extra_ends, account_states_frozen_hash, account_states_has_prev, account_states_hash,
  account_states_last_paid, account_states_last_trans_hash, account_states_lt, account_states_mc_seqno, account_states_now,
  account_states_origin, account_states_prev_balance, account_states_prev_lt, account_states_status,
  account_states_storage_bits, account_states_storage_cells, account_states_workchain, ORIGIN_BEFORE, ORIGIN_BLOCK,
  STATUS_FROZEN, STATUS_NONEXIST, TABLE_ACCOUNT_CELLS, TABLE_ACCOUNT_STATES,
} from '../../build/columns';
import {
  BALANCE, code, codeData, DUE_PAYMENT, exists, extraRoot, FROZEN_HASH, hasDuePayment, lastPaid, readAccount, status,
  storageBits, storageCells,
} from './account';
import { allOldStates, mcSeqno, oldStatesBelowLt, workchain } from '../announced';
import { Area } from '../area';
import { cellType, isComplete, PRUNED } from '../bags/bag';
import {
  A_ADDRESS, A_COUNT, A_LAST_HASH, A_LAST_LT, A_LAST_NOW, A_NEW_HASH, A_NEW_LEAF, A_OLD_HASH, A_OLD_LEAF, A_ORIG_STATUS, A_PREV_LT,
  A_SPENT, accountAt, accountCount, L_CELL, L_EXTRA, L_GRAMS, L_HASH, L_LT, L_SHOWN,
} from './changed-accounts';
import { putCurrencies } from '../currencies';
import { findCurrencies } from '../currency-finder';
import { lowestHashOf, pad } from '../bags/hash-cells';
import { moveBytes } from '../move-bytes';
import { contradiction, expectHash, refuseAmount, sameHash, STATE, VALUE } from '../refuse';
import { beginStates, packBefore, putStates } from './state-pack';
import { beginRow, beginString, endRow, put128, put32, put64, put8, putHash } from '../streams';
import { sha256One } from '../../build/sha256';
import { addGrams, isNegative } from '../wide';
import { writeCell } from '../bags/write-bag';

/** `account_none$0`: the state of an account that does not exist is a cell of one 0 bit. */
const NONE_HASH: usize = memory.data(32, 16);
const NONE_MESSAGE: usize = memory.data(96, 16);
const BEFORE: usize = memory.data(32, 16);
const BAG = new Area();

/** Two descriptors (no references, one begun byte) and the byte 0 1 000000: the bit and the completion tag. */
function makeNoneHash(): void {
  store<u8>(NONE_MESSAGE, 1, 1);
  store<u8>(NONE_MESSAGE, 0x40, 2);
  pad(NONE_MESSAGE, NONE_MESSAGE + 3, 1);
  sha256One(NONE_MESSAGE, 1, NONE_HASH);
}

makeNoneHash();

export function writeAccounts(): void {
  for (let i = 0; i < accountCount; i++) writeAccount(accountAt(i));
}

function writeAccount(account: usize): void {
  const old = account + A_OLD_LEAF;
  beginStates();
  if (load<u32>(old, L_SHOWN) != 0) {
    // The old side shows only paths to cells that the new state still uses: absence proves nothing.
    const cell = load<i32>(old, L_CELL);
    expectHash(STATE, 'state before the block', account + A_OLD_HASH, lowestHashOf(cell));
    if (cellType(cell) != PRUNED) {
      readAccount(cell);
      packBefore();
    }
    if (allOldStates || load<u64>(old, L_LT) < oldStatesBelowLt) writeOld(account, old);
  }
  const leaf = account + A_NEW_LEAF;
  if (load<u32>(leaf, L_SHOWN) != 0) writeNew(account, leaf);
  else writeDeleted(account);
}

/** Writes account, time and previous state, which every row has. Returns the row. */
function beginState(account: usize, lt: u64, lastHash: usize, hash: usize, origin: u8): i32 {
  const row = beginRow(TABLE_ACCOUNT_STATES);
  put32(account_states_mc_seqno, row, mcSeqno);
  put32(account_states_workchain, row, workchain);
  putHash(account_states_account, row, account + A_ADDRESS);
  put64(account_states_lt, row, lt);
  putHash(account_states_last_trans_hash, row, lastHash);
  putHash(account_states_hash, row, hash);
  put8(account_states_origin, row, origin);
  if (origin == ORIGIN_BLOCK) put32(account_states_now, row, load<u32>(account, A_LAST_NOW));
  return row;
}

/** An account of which only a few facts are known. */
function putBare(row: i32, ofStatus: u32, extra: i32): void {
  put8(account_states_status, row, ofStatus);
  putCurrencies(account_states_extra_ends, row, extra);
  put8(account_states_due_payment_is_null, row, 1);
}

/** The account that `readAccount` read last. */
function putAccount(row: i32): void {
  if (!exists) {
    putBare(row, STATUS_NONEXIST, -1);
    return;
  }
  put8(account_states_status, row, status);
  put128(account_states_balance, row, BALANCE);
  putCurrencies(account_states_extra_ends, row, findCurrencies(extraRoot));
  if (code >= 0) putHash(account_states_code_hash, row, lowestHashOf(code));
  if (codeData >= 0) putHash(account_states_data_hash, row, lowestHashOf(codeData));
  if (status == STATUS_FROZEN) putHash(account_states_frozen_hash, row, FROZEN_HASH);
  put32(account_states_last_paid, row, lastPaid);
  put8(account_states_due_payment_is_null, row, hasDuePayment ? 0 : 1);
  if (hasDuePayment) put128(account_states_due_payment, row, DUE_PAYMENT);
  put64(account_states_storage_cells, row, storageCells);
  put64(account_states_storage_bits, row, storageBits);
}

/** Unless its cell is pruned, the account was read last. */
function writeOld(account: usize, old: usize): void {
  const cell = load<i32>(old, L_CELL);
  const lt = load<u64>(old, L_LT);
  const row = beginState(account, lt, old + L_HASH, account + A_OLD_HASH, ORIGIN_BEFORE);
  if (cellType(cell) == PRUNED) {
    // Nothing of the old state was needed: the block gives its hash, status and balance, and no more.
    put128(account_states_balance, row, old + L_GRAMS);
    putBare(row, load<u32>(account, A_ORIG_STATUS), findCurrencies(load<i32>(old, L_EXTRA)));
    endRow(TABLE_ACCOUNT_STATES);
    return;
  }
  putAccount(row);
  endRow(TABLE_ACCOUNT_STATES);
  writeCells(account, lt, account + A_OLD_HASH, cell);
}

function writeNew(account: usize, leaf: usize): void {
  const cell = load<i32>(leaf, L_CELL);
  const lt = load<u64>(account, A_LAST_LT);
  expectHash(STATE, 'state after the block', account + A_NEW_HASH, lowestHashOf(cell));
  expectHash(STATE, 'last transaction of the account', account + A_LAST_HASH, leaf + L_HASH);
  if (load<u64>(leaf, L_LT) != lt) contradiction(STATE, 'last lt of the account', cell, lt, load<u64>(leaf, L_LT));
  const row = beginState(account, lt, account + A_LAST_HASH, account + A_NEW_HASH, ORIGIN_BLOCK);
  readAccount(cell);
  if (exists && !sameGrams(BALANCE, leaf + L_GRAMS)) {
    refuseAmount(STATE, 'balance of the account at its leaf', cell, leaf + L_GRAMS, BALANCE);
  }
  putAccount(row);
  putStates(load<i32>(account, A_COUNT), true);
  putPrevious(account, row, leaf + L_GRAMS);
  endRow(TABLE_ACCOUNT_STATES);
  writeCells(account, lt, account + A_NEW_HASH, cell);
}

function writeDeleted(account: usize): void {
  expectHash(STATE, 'state of an account that is not in the state', account + A_NEW_HASH, NONE_HASH);
  const lt = load<u64>(account, A_LAST_LT);
  const row = beginState(account, lt, account + A_LAST_HASH, NONE_HASH, ORIGIN_BLOCK);
  putBare(row, STATUS_NONEXIST, -1);
  putStates(load<i32>(account, A_COUNT), false);
  putPrevious(account, row, 0);
  endRow(TABLE_ACCOUNT_STATES);
}

@inline
function sameGrams(a: usize, b: usize): bool {
  return load<u64>(a) == load<u64>(b) && load<u64>(a, 8) == load<u64>(b, 8);
}

/**
 * Writes the state that the block's state replaces. If the old side omits it, its lt is in the first transaction, and
 * its balance follows from reversing the transactions. `grams`: the balance after, 0 for none.
 */
function putPrevious(account: usize, row: i32, grams: usize): void {
  const old = account + A_OLD_LEAF;
  if (load<u32>(old, L_SHOWN) != 0) {
    put8(account_states_has_prev, row, 1);
    put64(account_states_prev_lt, row, load<u64>(old, L_LT));
    put128(account_states_prev_balance, row, old + L_GRAMS);
    return;
  }
  if (sameHash(account + A_OLD_HASH, NONE_HASH)) return;
  put64(account_states_prev_lt, row, load<u64>(account, A_PREV_LT));
  memory.copy(BEFORE, account + A_SPENT, 24);
  if (grams != 0) addGrams(BEFORE, grams);
  if (isNegative(BEFORE)) return;
  if (load<u64>(BEFORE, 16) != 0) contradiction(VALUE, 'prev_balance', -1, 0, load<u64>(BEFORE, 16));
  put128(account_states_prev_balance, row, BEFORE);
}

function writeCells(account: usize, lt: u64, hash: usize, cell: i32): void {
  const row = beginRow(TABLE_ACCOUNT_CELLS);
  put32(account_cells_mc_seqno, row, mcSeqno);
  put32(account_cells_workchain, row, workchain);
  putHash(account_cells_account, row, account + A_ADDRESS);
  put64(account_cells_lt, row, lt);
  putHash(account_cells_hash, row, hash);
  put8(account_cells_whole, row, isComplete(cell) ? 1 : 0);
  BAG.length = 0;
  const size = writeCell(BAG, cell);
  moveBytes(beginString(account_cells_boc, size), BAG.start, size);
  endRow(TABLE_ACCOUNT_CELLS);
}
