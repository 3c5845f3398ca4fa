import type { CellSlice } from '../../boc/cell-slice.ts';

export interface TickTock {
  readonly tick: boolean;
  readonly tock: boolean;
}

// tick_tock$_ tick:Bool tock:Bool = TickTock;
export function loadTickTock(slice: CellSlice): TickTock {
  return { tick: slice.bit(), tock: slice.bit() };
}
