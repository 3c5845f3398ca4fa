import type { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';

export interface ShardFeeCreated {
  readonly fees: CurrencyCollection;
  readonly create: CurrencyCollection;
}

// _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
export function loadShardFeeCreated(slice: CellSlice): ShardFeeCreated {
  return { fees: loadCurrencyCollection(slice), create: loadCurrencyCollection(slice) };
}

/** Reads the whole dictionary for its form and gives the sum that its root states. */
// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;
export function loadShardFees(slice: CellSlice): ShardFeeCreated {
  const root = slice.maybeRef();
  const total = loadShardFeeCreated(slice);
  if (root >= 0) {
    forEachLeaf(slice.boc, root, 96, (_shard, value) => {
      loadShardFeeCreated(value);
      loadShardFeeCreated(value);
      value.end('ShardFees');
    });
  }
  return total;
}
