import { onlyRoot, parseBoc } from './boc.ts';
import { CellSlice } from './cell-slice.ts';

/**
 * A slice at the start of the one root of a bag of cells.
 * @throws BocError; CellError exotic
 */
export function openBag(bytes: Uint8Array): CellSlice {
  const boc = parseBoc(bytes);
  return new CellSlice(boc, onlyRoot(boc));
}
