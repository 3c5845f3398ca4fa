import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadMsgAddressInt, type MsgAddressInt } from '../msg-address.ts';
import { loadStateCurrencies, type StateCurrencies } from '../state-currencies.ts';
import { type AccountState, loadAccountState } from './account-state.ts';
import { loadStorageInfo, type StorageInfo } from './storage-info.ts';

export interface Account {
  readonly addr: MsgAddressInt;
  readonly storageInfo: StorageInfo;
  /** Above the lt of the last transaction by one and its outgoing messages. */
  readonly lastTransLt: bigint;
  readonly balance: StateCurrencies;
  readonly state: AccountState;
}

// account_none$0 = Account;
// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
export function loadAccount(slice: CellSlice): Account | null {
  if (!slice.bit()) return null;
  return {
    addr: loadMsgAddressInt(slice),
    storageInfo: loadStorageInfo(slice),
    lastTransLt: slice.u64(),
    balance: loadStateCurrencies(slice),
    state: loadAccountState(slice),
  };
}
