import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { loadCurrencyCollection } from '../currency-collection.ts';
import { loadOutMsg, type OutMsg } from './out-msg.ts';

/**
 * Visits the exported and dequeued messages in the order of their hashes; `hash` is re-used for the next one.
 */
// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;
export function forEachOutMsg(
  boc: Boc,
  cell: number,
  visit: (hash: Uint8Array, message: OutMsg) => void,
): void {
  const slice = new CellSlice(boc, cell);
  const root = slice.maybeRef();
  loadCurrencyCollection(slice);
  slice.end('OutMsgDescr');
  if (root < 0) return;
  forEachLeaf(boc, root, 256, (hash, value) => {
    loadCurrencyCollection(value);
    const message = loadOutMsg(value);
    value.end('OutMsg');
    visit(hash, message);
  });
}
