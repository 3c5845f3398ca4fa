import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { MAX_STACK_DEPTH } from '../../tvm/stack/write-stack.ts';
import { HttpError } from '../http/errors/http-error.ts';

/** As many as the network lets a message have. */
const MAX_CELLS = 8_192;
/** Entries of a stack, those in tuples and lists too. */
export const MAX_ENTRIES = 4_096;

/**
 * Cells of one request's stack of arguments. Sizes are looked at before anything is made of them, and a bag that
 * many entries give is read once: all of them get the same bytes.
 */
export class ArgumentCells {
  private readonly bags = new Map<string, Uint8Array>();
  private cellsLeft = MAX_CELLS;
  private entriesLeft = MAX_ENTRIES;

  /** Counts an entry. @throws HttpError 422 */
  countEntry(): void {
    if (--this.entriesLeft < 0) throw tooLarge(`more than ${MAX_ENTRIES} entries`);
  }

  /** Counts given cells. @throws HttpError 422 */
  countCells(count: number): void {
    this.cellsLeft -= count;
    if (this.cellsLeft < 0) throw tooLarge(`more than ${MAX_CELLS} cells`);
  }

  /**
   * A bag of cells with one root; null if the text is not base64.
   * @throws BocError, HttpError 422 too many cells, or too deep
   */
  parseBag(text: string): Uint8Array | null {
    const known = this.bags.get(text);
    if (known) return known;
    const bytes = fromBase64(text);
    if (bytes === null) return null;
    this.countCells(countCells(bytes, this.cellsLeft));
    this.bags.set(text, bytes);
    return bytes;
  }
}

/** Number of cells of a bag. @throws BocError, HttpError 422 */
function countCells(bytes: Uint8Array, maxCells: number): number {
  try {
    const boc = parseBoc(bytes, { maxCells, maxDepth: MAX_STACK_DEPTH });
    onlyRoot(boc);
    return boc.cellCount;
  } catch (error) {
    if (!(error instanceof BocError)) throw error;
    if (error.code === 'limit') throw tooLarge(`more than ${MAX_CELLS} cells`);
    if (error.code === 'depth') throw tooLarge(`a cell deeper than ${MAX_STACK_DEPTH}`);
    throw error;
  }
}

function tooLarge(found: string): HttpError {
  return new HttpError(422, `stack: the arguments have ${found}`);
}
