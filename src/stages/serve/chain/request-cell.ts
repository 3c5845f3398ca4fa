import { BocError } from '../../../ton/boc/boc-error.ts';
import { CellError } from '../../../ton/boc/cell-error.ts';
import type { Cell } from '../../../ton/build/cell.ts';
import { readCell } from '../../../ton/build/cells-of-bag.ts';
import { HttpError } from '../http/http-error.ts';

/** A bag of cells of a request that is none: 400 in both APIs (v2-endpoints.md section 3). */
export function invalidBag(detail: string): HttpError {
  return new HttpError(400, `INVALID_BAG_OF_CELLS: ${detail}`);
}

/**
 * The one root of a bag of cells that a request gave.
 * @throws HttpError 400
 */
export function requestCell(boc: Uint8Array): Cell {
  try {
    return readCell(boc);
  } catch (error) {
    if (error instanceof BocError || error instanceof CellError) throw invalidBag(error.message);
    throw error;
  }
}
