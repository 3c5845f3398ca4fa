import type { CellSlice } from '../../boc/cell-slice.ts';

/** A library of an account or state init; `root` is a cell index. */
export interface SimpleLib {
  readonly public: boolean;
  readonly root: number;
}

// simple_lib$_ public:Bool root:^Cell = SimpleLib;
export function loadSimpleLib(slice: CellSlice): SimpleLib {
  return { public: slice.bit(), root: slice.ref() };
}
