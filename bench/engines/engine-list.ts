import type { Engine } from './key-store.ts';
import { LEVELDB } from './leveldb.ts';
import { LMDB } from './lmdb.ts';
import { ROCKSDB } from './rocksdb.ts';
import { SQLITE } from './sqlite.ts';
import { SQLITE_FILES } from './sqlite-files.ts';

/** All engines by name, in the order in which they are measured. */
export const ENGINES = {
  sqlite: SQLITE,
  'sqlite-files': SQLITE_FILES,
  leveldb: LEVELDB,
  lmdb: LMDB,
  rocksdb: ROCKSDB,
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof ENGINES;
