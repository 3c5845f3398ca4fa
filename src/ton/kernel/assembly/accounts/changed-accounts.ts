/** The accounts that have transactions in the block. Offsets into an account's record: */
import { Area } from '../area';

export const A_ADDRESS: usize = 0;
/** State hashes before the first and after the last transaction. */
export const A_OLD_HASH: usize = 32;
export const A_NEW_HASH: usize = 64;
export const A_LAST_HASH: usize = 96;
export const A_PREV_LT: usize = 128;
export const A_LAST_LT: usize = 136;
/** Grams that the transactions took from the account: 192 bits, two's complement. */
export const A_SPENT: usize = 144;
export const A_ORIG_STATUS: usize = 168;
/** Its transactions: number of the first, and how many. */
export const A_FIRST: usize = 172;
export const A_COUNT: usize = 176;
/** Time of its last transaction. */
export const A_LAST_NOW: usize = 180;
/** The account as the two sides of the state update show it. */
export const A_OLD_LEAF: usize = 184;
export const A_NEW_LEAF: usize = 264;
export const ACCOUNT_BYTES: usize = 344;

/** Offsets into a leaf: whether it is shown, cell, lt, root of the currencies (-1: none), grams, last hash. */
export const L_SHOWN: usize = 0;
export const L_CELL: usize = 4;
export const L_LT: usize = 8;
export const L_EXTRA: usize = 16;
export const L_GRAMS: usize = 24;
export const L_HASH: usize = 40;
export const LEAF_BYTES: usize = 72;

export const ACCOUNTS = new Area();
export let accountCount: i32 = 0;
/** Cells of all transactions, account by account. */
export const TRANSACTIONS = new Area();

export function beginAccounts(): void {
  ACCOUNTS.length = 0;
  TRANSACTIONS.length = 0;
  accountCount = 0;
}

/** A record of zeros; gives its address, valid until the next is added. */
export function addAccount(): usize {
  const at = ACCOUNTS.take(ACCOUNT_BYTES);
  accountCount++;
  const to = ACCOUNTS.start + at;
  memory.fill(to, 0, ACCOUNT_BYTES);
  return to;
}

@inline
export function accountAt(index: i32): usize {
  return ACCOUNTS.start + <usize>index * ACCOUNT_BYTES;
}

/** Whether the first address comes before the second. */
function isBefore(a: usize, b: usize): bool {
  for (let i: usize = 0; i < 32; i += 8) {
    const x = bswap<u64>(load<u64>(a + i));
    const y = bswap<u64>(load<u64>(b + i));
    if (x != y) return x < y;
  }
  return false;
}

/** Returns the account of an address, 0 if it has no transactions. Accounts are ascending. */
export function findAccount(address: usize): usize {
  let low = 0;
  let high = accountCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(accountAt(middle) + A_ADDRESS, address)) low = middle + 1;
    else high = middle;
  }
  if (low == accountCount) return 0;
  const found = accountAt(low);
  return isBefore(address, found + A_ADDRESS) ? 0 : found;
}
