/** Reads an Account into one place; mirrors tlb/account/account.ts, tlb/account/storage-info.ts, tlb/account/account-state.ts. */
import { STATUS_ACTIVE, STATUS_FROZEN, STATUS_UNINIT } from '../../build/columns';
import { skipInternalAddress } from '../address';
import { stateCurrencies } from '../currencies';
import { bad, bit, bytes32, coins, enter, leave, skipBits, uint, varUint64 } from '../bags/cursor';
import { codeCell, dataCell, stateInit } from './state-init';

/** Balance and payment due (16 bytes each), hash of a frozen state. */
export const BALANCE: usize = memory.data(32, 16);
export const DUE_PAYMENT: usize = memory.data(32, 16);
export const FROZEN_HASH: usize = memory.data(32, 16);
export let exists: bool = false;
export let status: u8 = 0;
/** Root of the extra currencies, -1 for none. */
export let extraRoot: i32 = -1;
export let hasDuePayment: bool = false;
export let lastPaid: u32 = 0;
export let storageCells: u64 = 0;
export let storageBits: u64 = 0;
/** Cells of an active account, -1 for none. */
export let code: i32 = -1;
export let codeData: i32 = -1;

/**
 *     account_none$0 = Account;
 *     account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
 *     account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
 */
export function readAccount(cell: i32): void {
  enter(cell);
  code = -1;
  codeData = -1;
  exists = bit();
  if (exists) {
    skipInternalAddress();
    readStorageInfo();
    skipBits(64);
    extraRoot = stateCurrencies(BALANCE);
    readState();
  }
  leave('Account');
}

/**
 *     storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
 *       due_payment:(Maybe Grams) = StorageInfo;
 */
function readStorageInfo(): void {
  storageCells = varUint64(3);
  storageBits = varUint64(3);
  const tag = uint(3);
  if (tag > 1) bad('StorageExtraInfo', 1, tag);
  if (tag == 1) skipBits(256);
  lastPaid = uint(32);
  hasDuePayment = bit();
  if (hasDuePayment) coins(DUE_PAYMENT);
}

/** account_uninit$00, account_active$1 _:StateInit, account_frozen$01 state_hash:bits256 = AccountState; */
function readState(): void {
  if (bit()) {
    status = STATUS_ACTIVE;
    stateInit();
    code = codeCell;
    codeData = dataCell;
  } else if (bit()) {
    status = STATUS_FROZEN;
    bytes32(FROZEN_HASH);
  } else {
    status = STATUS_UNINIT;
  }
}
