import type { CellSlice } from '../../boc/cell-slice.ts';

/** The names that the API answers with. */
export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist';

const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist'];

// acc_state_uninit$00 = AccountStatus;
// acc_state_frozen$01 = AccountStatus;
// acc_state_active$10 = AccountStatus;
// acc_state_nonexist$11 = AccountStatus;
export function loadAccountStatus(slice: CellSlice): AccountStatus {
  return STATUSES[slice.uint(2)] as AccountStatus;
}
