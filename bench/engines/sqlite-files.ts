import { readdirSync } from 'node:fs';
import { getIndexPath, INDEX_SUFFIX } from '../../src/lookup/sqlite-index.ts';
import type { IndexedRow, IndexReader, IndexWriter } from '../../src/lookup/store-port.ts';
import type { Engine, KeyStore } from './key-store.ts';
import { ROWS_PER_STEP } from './made-rows.ts';
import { commitRows, findValue, openRows, openRowWriter, toReader } from './sqlite.ts';

const DIGITS = 6;

/** The product's index with a new file after some steps. A look-up asks the newest file first. */
export const SQLITE_FILES: Engine = {
  package: null,
  async open({ folder, mode, rowsPerFile }) {
    if (mode === 'write') return new FilesWriter(folder, rowsPerFile / ROWS_PER_STEP);
    return toReader(listFiles(folder).map((name) => openRows(getIndexPath(folder, name))));
  },
};

/** Names of the files, the newest first. */
function listFiles(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(INDEX_SUFFIX));
  return names
    .map((name) => name.slice(0, -INDEX_SUFFIX.length))
    .sort()
    .reverse();
}

class FilesWriter implements KeyStore {
  readonly #folder: string;
  readonly #stepsPerFile: number;
  /** The newest file. */
  #writer: { readonly name: string; readonly rows: IndexWriter } | null = null;
  /** Files that are no longer written, the newest first. */
  #older: readonly IndexReader[];

  constructor(folder: string, stepsPerFile: number) {
    this.#folder = folder;
    this.#stepsPerFile = stepsPerFile;
    const [newest, ...older] = listFiles(folder);
    this.#older = older.map((name) => openRows(getIndexPath(folder, name)));
    if (newest) this.#writer = { name: newest, rows: openRowWriter(getIndexPath(folder, newest)) };
  }

  async insert(rows: readonly IndexedRow[]): Promise<void> {
    const file = Math.floor((rows[0]?.step ?? 0) / this.#stepsPerFile);
    commitRows(this.#open(`${file}`.padStart(DIGITS, '0')), rows);
  }

  get(key: Uint8Array): Uint8Array | null {
    return findValue([...(this.#writer ? [this.#writer.rows] : []), ...this.#older], key);
  }

  async close(): Promise<void> {
    this.#writer?.rows.close();
    for (const file of this.#older) file.close();
  }

  #open(name: string): IndexWriter {
    if (this.#writer?.name === name) return this.#writer.rows;
    if (this.#writer) {
      this.#writer.rows.close();
      this.#older = [openRows(getIndexPath(this.#folder, this.#writer.name)), ...this.#older];
    }
    this.#writer = { name, rows: openRowWriter(getIndexPath(this.#folder, name)) };
    return this.#writer.rows;
  }
}
