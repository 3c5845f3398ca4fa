import type { CellSlice } from '../boc/cell-slice.ts';

/** Fields with which every jetton message of TEP-74 begins. */
export interface JettonHead {
  readonly queryId: bigint;
  /** Jettons, in their smallest unit. */
  readonly amount: bigint;
}

/** Loads `query_id:uint64 amount:(VarUInteger 16)`. @throws CellError */
export function loadJettonHead(slice: CellSlice): JettonHead {
  return { queryId: slice.u64(), amount: slice.coins() };
}
