import type { CellSlice } from '../../boc/cell-slice.ts';

export type AccStatusChange = 'unchanged' | 'frozen' | 'deleted';

// acst_unchanged$0 = AccStatusChange;
// acst_frozen$10 = AccStatusChange;
// acst_deleted$11 = AccStatusChange;
export function loadAccStatusChange(slice: CellSlice): AccStatusChange {
  if (!slice.bit()) return 'unchanged';
  return slice.bit() ? 'deleted' : 'frozen';
}
