import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadStateInit, type StateInit } from '../message/state-init.ts';

export type AccountState =
  | { readonly status: 'uninit' }
  | { readonly status: 'active'; readonly init: StateInit }
  | { readonly status: 'frozen'; readonly stateHash: Uint8Array };

// account_uninit$00 = AccountState;
// account_active$1 _:StateInit = AccountState;
// account_frozen$01 state_hash:bits256 = AccountState;
export function loadAccountState(slice: CellSlice): AccountState {
  if (slice.bit()) return { status: 'active', init: loadStateInit(slice) };
  if (slice.bit()) return { status: 'frozen', stateHash: slice.bytes(32) };
  return { status: 'uninit' };
}
