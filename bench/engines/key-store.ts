import type { IndexedRow } from '../../src/lookup/store-port.ts';

/** An open store of rows by key. */
export interface KeyStore {
  /** Writes rows in one transaction. Resolves when other readers see them and a killed process cannot lose them. */
  insert(rows: readonly IndexedRow[]): Promise<void>;
  /** The value of a key; null if there is none. */
  get(key: Uint8Array): Uint8Array | null;
  close(): Promise<void>;
}

/** Where a store is and how it is opened. */
export interface StorePlace {
  /** An existing folder of the store alone. */
  readonly folder: string;
  readonly mode: 'write' | 'read';
  /** Folder whose `node_modules` has the packages of engines. */
  readonly modules: string;
  /** Rows of one file of `sqlite-files`. */
  readonly rowsPerFile: number;
}

/** A key-value engine. */
export interface Engine {
  /** npm package that is not a dependency of the product; null if the engine needs none. */
  readonly package: string | null;
  open(place: StorePlace): Promise<KeyStore>;
}
