import { basename, extname } from 'node:path';
import { type FileReading, listFiles, reasonNotRead } from '../../platform/files/list-files.ts';
import { type FoundCell, findCells } from './find-cells.ts';
import { readBag } from './read-bag.ts';

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

  async *cells(hashes: ReadonlySet<string>): AsyncGenerator<FoundCell> {
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
