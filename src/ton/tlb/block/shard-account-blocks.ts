import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { loadCurrencyCollection } from '../currency-collection.ts';
import { type AccountBlock, loadAccountBlock } from './account-block.ts';

/** Visits the account blocks in the order of their addresses; `address` is re-used for the next one. */
// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
export function forEachAccountBlock(
  boc: Boc,
  cell: number,
  visit: (address: Uint8Array, block: AccountBlock) => void,
): void {
  const slice = new CellSlice(boc, cell);
  const root = slice.maybeRef();
  loadCurrencyCollection(slice);
  slice.end('ShardAccountBlocks');
  if (root < 0) return;
  forEachLeaf(boc, root, 256, (address, value) => {
    loadCurrencyCollection(value);
    const block = loadAccountBlock(value);
    value.end('AccountBlock');
    visit(address, block);
  });
}
