import { loadPackage } from './foreign-package.ts';
import type { Engine } from './key-store.ts';
import { type KeyValue, toRecords, toValue } from './records.ts';

const PACKAGE = '@nxtedition/rocksdb';
const MIB = 2 ** 20;
/** As the product's SQLite: 64 MB of cache. Values cannot be compressed. */
const OPTIONS = {
  keyEncoding: 'buffer',
  valueEncoding: 'buffer',
  compression: false,
  walCompression: false,
  cacheSize: 64 * MIB,
  parallelism: 2,
};

interface Database {
  open(): Promise<void>;
  batch(
    operations: readonly (KeyValue & { type: 'put' })[],
    options: { readonly sync: boolean },
  ): Promise<void>;
  /** The binding's only read that does not wait for a thread. */
  _getManySync(
    keys: readonly Uint8Array[],
    options: { readonly valueEncoding: 'buffer' },
  ): readonly unknown[];
  close(): Promise<void>;
}

interface RocksModule {
  readonly RocksLevel: new (folder: string, options: typeof OPTIONS) => Database;
}

/** RocksDB. A batch is not synced: as in the product's SQLite, a power cut may take the last ones. */
export const ROCKSDB: Engine = {
  package: PACKAGE,
  async open({ folder, modules }) {
    const { RocksLevel } = loadPackage<RocksModule>(PACKAGE, modules);
    const database = new RocksLevel(folder, OPTIONS);
    await database.open();
    return {
      insert: (rows) =>
        database.batch(
          toRecords(rows).map((record) => ({ type: 'put', ...record })),
          { sync: false },
        ),
      get: (key) =>
        toValue(database._getManySync([key], { valueEncoding: 'buffer' })[0] as Uint8Array | undefined),
      close: () => database.close(),
    };
  },
};
