import { getIndexPath, openReader, openWriter } from '../../src/lookup/sqlite-index.ts';
import type { IndexedRow, IndexReader, IndexWriter } from '../../src/lookup/store-port.ts';
import type { Engine, KeyStore } from './key-store.ts';

const LOOK_UP = 'rows';
const FILE = { lookUps: [LOOK_UP], source: 'bench:engines' };

/** The product's index as it is: all rows in one file. */
export const SQLITE: Engine = {
  package: null,
  async open({ folder, mode }) {
    const path = getIndexPath(folder, 'index');
    return mode === 'read' ? toReader([openRows(path)]) : new SqliteWriter(openRowWriter(path));
  },
};

/** Opens a file of rows to read it. */
export function openRows(path: string): IndexReader {
  return openReader({ path, lookUps: FILE.lookUps });
}

/** Opens a file of rows to write it. */
export function openRowWriter(path: string): IndexWriter {
  return openWriter({ path, ...FILE });
}

/** Writes rows and the steps that the file has, as the product does. */
export function commitRows(writer: IndexWriter, rows: readonly IndexedRow[]): void {
  const [first, last] = [rows[0]?.step ?? 0, rows.at(-1)?.step ?? 0];
  const from = writer.progress.covered[0]?.first ?? first;
  const progress = { covered: [{ first: from, last }], seenAt: last };
  writer.commit({ replaces: null, rows: [{ lookUp: LOOK_UP, rows }], progress });
}

/** The value of a key in the first file that has the key. */
export function findValue(files: readonly IndexReader[], key: Uint8Array): Uint8Array | null {
  for (const file of files) {
    const row = file.get(LOOK_UP, key);
    if (row) return row.value;
  }
  return null;
}

/** A store that only reads, from files in the order in which they are asked. */
export function toReader(files: readonly IndexReader[]): KeyStore {
  return {
    insert: () => Promise.reject(new Error('the store was opened to read')),
    get: (key) => findValue(files, key),
    async close() {
      for (const file of files) file.close();
    },
  };
}

class SqliteWriter implements KeyStore {
  readonly #writer: IndexWriter;

  constructor(writer: IndexWriter) {
    this.#writer = writer;
  }

  async insert(rows: readonly IndexedRow[]): Promise<void> {
    commitRows(this.#writer, rows);
  }

  get(key: Uint8Array): Uint8Array | null {
    return findValue([this.#writer], key);
  }

  async close(): Promise<void> {
    this.#writer.close();
  }
}
