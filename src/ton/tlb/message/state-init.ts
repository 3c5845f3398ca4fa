import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadTickTock, type TickTock } from './tick-tock.ts';

/**
 * Code, data and libraries as cell indexes, -1 for none. They are not opened: in a state update they may be pruned,
 * and code may be a library cell.
 */
export interface StateInit {
  /** `fixed_prefix_length` in the newer grammar, in the same place. */
  readonly splitDepth: number | null;
  readonly special: TickTock | null;
  readonly code: number;
  readonly data: number;
  /** Root of the dictionary of SimpleLib. */
  readonly library: number;
}

// _ split_depth:(Maybe (## 5)) special:(Maybe TickTock)
//   code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(HashmapE 256 SimpleLib) = StateInit;
export function loadStateInit(slice: CellSlice): StateInit {
  return {
    splitDepth: slice.bit() ? slice.uint(5) : null,
    special: slice.bit() ? loadTickTock(slice) : null,
    code: slice.maybeRef(),
    data: slice.maybeRef(),
    library: slice.maybeRef(),
  };
}
