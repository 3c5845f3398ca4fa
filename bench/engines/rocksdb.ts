import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadPackage } from './foreign-package.ts';
import type { Engine } from './key-store.ts';
import { toRecords, toValue } from './records.ts';

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

/** Batches between collections of garbage. */
const COLLECTION_BATCHES = 200;

interface Batch {
  put(key: Uint8Array, value: Uint8Array): void;
  write(options: { readonly sync: boolean }): Promise<void>;
}

interface Database {
  open(): Promise<void>;
  /** `batch` with a list of operations is never closed, so all its rows stay in memory. */
  batch(): Batch;
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
    const collect = getCollector();
    let batches = 0;
    return {
      async insert(rows) {
        const batch = database.batch();
        for (const { key, value } of toRecords(rows)) batch.put(key, value);
        await batch.write({ sync: false });
        if (++batches % COLLECTION_BATCHES === 0) collect();
      },
      get: (key) =>
        toValue(database._getManySync([key], { valueEncoding: 'buffer' })[0] as Uint8Array | undefined),
      close: () => database.close(),
    };
  },
};

/** V8 does not know what memory a written batch holds: without collections the process takes 125 bytes for each row. */
function getCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
