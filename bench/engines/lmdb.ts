import { join } from 'node:path';
import { loadPackage } from './foreign-package.ts';
import type { Engine } from './key-store.ts';
import { toRecords, toValue } from './records.ts';

const PACKAGE = 'lmdb';
/** Addresses for the whole file: moving the map later would stop reads. */
const MAP_BYTES = 64 * 2 ** 30;
const OPTIONS = {
  encoding: 'binary',
  keyEncoding: 'binary',
  mapSize: MAP_BYTES,
  /** The file is larger than the memory, and reads are random. */
  noReadAhead: true,
  /** A commit does not wait for the disk: as in the product's SQLite, a power cut may take the last batches. */
  overlappingSync: true,
};

interface Database {
  putSync(key: Uint8Array, value: Uint8Array): boolean;
  transactionSync(work: () => void): void;
  get(key: Uint8Array): Uint8Array | undefined;
  close(): Promise<void>;
}

interface Lmdb {
  open(options: typeof OPTIONS & { readonly path: string; readonly readOnly: boolean }): Database;
}

/** LMDB. */
export const LMDB: Engine = {
  package: PACKAGE,
  async open({ folder, mode, modules }) {
    const { open } = loadPackage<Lmdb>(PACKAGE, modules);
    const database = open({ ...OPTIONS, path: join(folder, 'index.mdb'), readOnly: mode === 'read' });
    return {
      async insert(rows) {
        const records = toRecords(rows);
        database.transactionSync(() => {
          for (const { key, value } of records) database.putSync(key, value);
        });
      },
      get: (key) => toValue(database.get(key)),
      close: () => database.close(),
    };
  },
};
