import { loadPackage } from './foreign-package.ts';
import type { Engine } from './key-store.ts';
import { type KeyValue, toRecords, toValue } from './records.ts';

const PACKAGE = 'classic-level';
const MIB = 2 ** 20;
/** As the product's SQLite: 64 MB of cache. Values cannot be compressed. A thousand files must hold all rows. */
const OPTIONS = {
  keyEncoding: 'buffer',
  valueEncoding: 'buffer',
  compression: false,
  cacheSize: 64 * MIB,
  writeBufferSize: 32 * MIB,
  maxFileSize: 32 * MIB,
};

interface Database {
  open(): Promise<void>;
  batch(
    operations: readonly (KeyValue & { type: 'put' })[],
    options: { readonly sync: boolean },
  ): Promise<void>;
  getSync(key: Uint8Array): Uint8Array | undefined;
  close(): Promise<void>;
}

interface ClassicLevel {
  readonly ClassicLevel: new (folder: string, options: typeof OPTIONS) => Database;
}

/** LevelDB. A batch is not synced: as in the product's SQLite, a power cut may take the last ones. */
export const LEVELDB: Engine = {
  package: PACKAGE,
  async open({ folder, modules }) {
    const { ClassicLevel } = loadPackage<ClassicLevel>(PACKAGE, modules);
    const database = new ClassicLevel(folder, OPTIONS);
    await database.open();
    return {
      insert: (rows) =>
        database.batch(
          toRecords(rows).map((record) => ({ type: 'put', ...record })),
          { sync: false },
        ),
      get: (key) => toValue(database.getSync(key)),
      close: () => database.close(),
    };
  },
};
