import { parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { isComplete, serializeCell } from '../../ton/boc/serialize.ts';

/** A cell by its hash, with where it was found. */
export interface FoundCell {
  /** Lower-case hex. */
  readonly hash: string;
  readonly boc: Uint8Array;
  readonly origin: string;
}

/** The wanted cells of a bag, each with everything below it; none if the bytes are no bag. */
export function* findCells(
  bytes: Uint8Array,
  wanted: ReadonlySet<string>,
  origin: string,
): Generator<FoundCell> {
  try {
    const boc = parseBoc(bytes);
    const hashes = new CellHashes(boc);
    for (let cell = 0; cell < boc.cellCount; cell++) {
      const hash = Buffer.from(hashes.hash(cell)).toString('hex');
      if (wanted.has(hash) && isComplete(boc, cell)) yield { hash, boc: serializeCell(boc, cell), origin };
    }
  } catch (error) {
    if (!(error instanceof BocError)) throw error;
  }
}
