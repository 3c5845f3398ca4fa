import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { HttpError } from '../http/errors/http-error.ts';

/** A bag of cells of a request that is none: 400 in both APIs (v2-endpoints.md section 3). */
export function invalidBag(detail: string): HttpError {
  return new HttpError(400, `INVALID_BAG_OF_CELLS: ${detail}`);
}

/** Twice what the network lets a message have; the emulator takes more, the reading of it takes the time of all. */
const MAX_CELLS = 16_384;
/** The emulator was measured with messages of depth 1,000; the message itself and what it ends in come on top. */
const MAX_DEPTH = 960;

/**
 * The one root of a bag of cells that a request gave.
 * @throws HttpError 400, 422 too many cells, or too deep
 */
export function requestCell(boc: Uint8Array): Cell {
  try {
    return readCell(boc, { maxCells: MAX_CELLS, maxDepth: MAX_DEPTH });
  } catch (error) {
    if (error instanceof BocError && (error.code === 'limit' || error.code === 'depth'))
      throw new HttpError(422, `bag of cells: more than ${MAX_CELLS} cells, or deeper than ${MAX_DEPTH}`);
    if (error instanceof BocError || error instanceof CellError) throw invalidBag(error.message);
    throw error;
  }
}
