import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadStateCurrencies, type StateCurrencies } from '../state-currencies.ts';
import { badValue } from '../tag.ts';

/** Augmentation of a dictionary of accounts. */
export interface DepthBalanceInfo {
  readonly splitDepth: number;
  readonly balance: StateCurrencies;
}

// depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
export function loadDepthBalanceInfo(slice: CellSlice): DepthBalanceInfo {
  const splitDepth = slice.uint(5);
  if (splitDepth > 30) throw badValue(slice, 'DepthBalanceInfo.split_depth', 'at most 30', splitDepth);
  return { splitDepth, balance: loadStateCurrencies(slice) };
}
