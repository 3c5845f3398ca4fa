import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { loadImportFees } from './import-fees.ts';
import { type InMsg, loadInMsg } from './in-msg.ts';

/**
 * Visits the imported messages in the order of their hashes; `hash` is re-used for the next one.
 */
// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;
export function forEachInMsg(
  boc: Boc,
  cell: number,
  visit: (hash: Uint8Array, message: InMsg) => void,
): void {
  const slice = new CellSlice(boc, cell);
  const root = slice.maybeRef();
  loadImportFees(slice);
  slice.end('InMsgDescr');
  if (root < 0) return;
  forEachLeaf(boc, root, 256, (hash, value) => {
    loadImportFees(value);
    const message = loadInMsg(value);
    value.end('InMsg');
    visit(hash, message);
  });
}
