import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { isWhole, serializeCell } from '../../ton/boc/serialize.ts';
import { listFiles } from './scan-folder.ts';

/** A cell that a folder has; a file that is named by a hash is given for it unseen. */
interface CellOfFolder {
  readonly hash: string;
  readonly boc: Uint8Array;
  readonly origin: string;
}

/**
 * A folder of states as an outlet of cells (projections/contracts/cells/state-outlet.ts): shard states, accounts or single
 * cells, one bag a file, with all folders below it. Each file is read once a call, and held in memory while it is read.
 */
export class CellsOfFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async *cells(hashes: ReadonlySet<string>): AsyncGenerator<CellOfFolder> {
    for (const file of await listFiles(this.#path)) {
      const bytes = new Uint8Array(await readFile(file));
      const name = basename(file, extname(file)).toLowerCase();
      if (hashes.has(name)) yield { hash: name, boc: bytes, origin: file };
      else yield* cellsOf(bytes, hashes, file);
    }
  }
}

/** The wanted cells of a bag; none of what is no bag. */
function* cellsOf(bytes: Uint8Array, wanted: ReadonlySet<string>, origin: string): Generator<CellOfFolder> {
  try {
    const boc = parseBoc(bytes);
    const hashes = new CellHashes(boc);
    for (let cell = 0; cell < boc.cellCount; cell++) {
      const hash = Buffer.from(hashes.hash(cell)).toString('hex');
      if (wanted.has(hash) && isWhole(boc, cell)) yield { hash, boc: serializeCell(boc, cell), origin };
    }
  } catch (error) {
    if (!(error instanceof BocError)) throw error;
  }
}
