import { basename, extname } from 'node:path';
import { type FileReading, listFiles, reasonNotRead } from '../../platform/files/list-files.ts';
import { parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { isComplete, serializeCell } from '../../ton/boc/serialize.ts';
import { readBag } from './read-bag.ts';

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
  readonly #reading: FileReading;

  constructor(path: string, reading: FileReading = {}) {
    this.#path = path;
    this.#reading = reading;
  }

  async *cells(hashes: ReadonlySet<string>): AsyncGenerator<CellOfFolder> {
    for (const file of await listFiles(this.#path, this.#reading)) {
      const bytes = await this.#read(file);
      if (bytes === null) continue;
      const name = basename(file, extname(file)).toLowerCase();
      if (hashes.has(name)) yield { hash: name, boc: bytes, origin: file };
      else yield* findCells(bytes, hashes, file);
    }
  }

  /** Null, and skipped, if the file cannot be read. */
  async #read(file: string): Promise<Uint8Array | null> {
    const { signal, onSkip } = this.#reading;
    try {
      return (await readBag(file, signal)).bytes;
    } catch (error) {
      const reason = reasonNotRead(error);
      if (reason === null) throw error;
      onSkip?.(file, reason);
      return null;
    }
  }
}

/** The wanted cells of a bag; none of what is no bag. */
function* findCells(bytes: Uint8Array, wanted: ReadonlySet<string>, origin: string): Generator<CellOfFolder> {
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
