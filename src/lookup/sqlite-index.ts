import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import { enterWal } from '../platform/files/enter-wal.ts';
import { sqliteResultCode } from '../platform/files/sqlite-result-code.ts';
import { packValue, unpackValue } from './packed-value.ts';
import type {
  IndexAudit,
  IndexBatch,
  IndexedRow,
  IndexReader,
  IndexWriter,
  KeyBounds,
  Progress,
} from './store-port.ts';
import { TurnSnapshot } from './turn-snapshot.ts';

const BUSY_TIMEOUT_MS = 15_000;
/** Raised with every change of the tables below or of `packValue`. */
const FORMAT = 2;
const READ_CACHE_KB = 65_536;
const WRITE_CACHE_KB = 65_536;

const NOTHING: Progress = { covered: [], seenAt: 0 };

/** Rows lie in the order in which they came; only the keys are sorted. Steps rise, so their index grows at its end. */
const tableSql = (name: string) => `
  CREATE TABLE rows_${name} (id INTEGER PRIMARY KEY, step INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL);
  CREATE UNIQUE INDEX keys_${name} ON rows_${name} (key);
  CREATE INDEX steps_${name} ON rows_${name} (step);`;

/** What a file is made of. A file of another make is deleted when it is opened. */
export interface IndexFile {
  readonly path: string;
  readonly lookUps: readonly string[];
  /** Names the rows' source: their database and the statements that select them. */
  readonly source: string;
}

export const INDEX_SUFFIX = '.sqlite';

/** The file of a version by its database. */
export function getIndexPath(directory: string, database: string): string {
  return join(directory, `${database}${INDEX_SUFFIX}`);
}

/** Opens the file to read. It must exist. */
export function openReader({ path, lookUps }: Omit<IndexFile, 'source'>): IndexReader {
  const database = connect(path, 'ro', READ_CACHE_KB);
  return new SqliteIndex(database, lookUps, new TurnSnapshot(database));
}

/** Codes of SQLite for a file whose pages cannot be read: CORRUPT and NOTADB. */
const DAMAGED: readonly (number | null)[] = [11, 26];

/** True if an error means that the pages of a file cannot be read. */
export function isDamagedFile(error: unknown): boolean {
  return DAMAGED.includes(sqliteResultCode(error));
}

/** Opens the file to compare it; null if it is missing, another release made it, or it cannot be opened. */
export function openAudit(file: IndexFile): IndexAudit | null {
  if (!existsSync(file.path)) return null;
  const database = connect(file.path, 'ro', READ_CACHE_KB);
  try {
    if (readMake(database) === getMake(file)) return new SqliteIndex(database, file.lookUps);
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
  }
  database.close();
  return null;
}

/** What a file has, by whatever release it was made. @throws SqliteError of a damaged file */
export function readProgress(path: string): Progress {
  const database = connect(path, 'ro', READ_CACHE_KB);
  try {
    return JSON.parse(String(database.prepare('SELECT progress FROM meta').get()?.progress)) as Progress;
  } finally {
    database.close();
  }
}

/** Opens the file to write; makes it if it is missing, damaged, or has another source. */
export function openWriter(file: IndexFile): IndexWriter {
  const make = getMake(file);
  try {
    const database = connect(file.path, 'rwc', WRITE_CACHE_KB);
    try {
      if (readMake(database) === make) return new SqliteIndex(database, file.lookUps);
    } catch {
      // Its pages cannot be read: the rows are in the store.
    }
    database.close();
  } catch {
    // No database at all.
  }
  deleteIndexFile(file.path);
  const database = connect(file.path, 'rwc', WRITE_CACHE_KB);
  createTables(database, file.lookUps, make);
  return new SqliteIndex(database, file.lookUps);
}

/** Deletes a file with what SQLite has next to it. */
export function deleteIndexFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

function connect(path: string, mode: 'ro' | 'rwc', cacheKb: number): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', mode);
  const database = new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS, readOnly: mode === 'ro' });
  try {
    if (mode === 'rwc') {
      database.exec('PRAGMA page_size=8192');
      enterWal(database, BUSY_TIMEOUT_MS);
      // A power cut may take the last batches, never a part of one.
      database.exec('PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864');
      // 64 MiB, not 8: pages that several batches change are written once. With more data than memory a quarter less is written.
      database.exec('PRAGMA wal_autocheckpoint=8192');
    }
    database.exec(`PRAGMA cache_size=-${cacheKb}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function getMake({ lookUps, source }: IndexFile): string {
  return `${FORMAT} ${lookUps.join(' ')} ${source}`;
}

function readMake(database: DatabaseSync): unknown {
  const hasMeta = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get();
  return hasMeta ? database.prepare('SELECT make FROM meta').get()?.make : null;
}

function createTables(database: DatabaseSync, lookUps: readonly string[], make: string): void {
  database.exec('BEGIN IMMEDIATE');
  database.exec('CREATE TABLE meta (make TEXT NOT NULL, progress TEXT NOT NULL)');
  for (const name of lookUps) database.exec(tableSql(name));
  database.prepare('INSERT INTO meta VALUES (?, ?)').run(make, JSON.stringify(NOTHING));
  database.exec('COMMIT');
}

interface Statements {
  readonly get: StatementSync;
  readonly range: StatementSync;
  readonly fallingRange: StatementSync;
  readonly count: StatementSync;
  readonly put: StatementSync;
  readonly remove: StatementSync;
}

/** Rows of look-ups in an SQLite file in WAL mode: readers in other threads see each batch as a whole. */
class SqliteIndex implements IndexWriter, IndexAudit {
  readonly #database: DatabaseSync;
  readonly #statements: ReadonlyMap<string, Statements>;

  readonly #turn: TurnSnapshot | null;

  /** `turn`: of a reader that shares its process with answers. */
  constructor(database: DatabaseSync, lookUps: readonly string[], turn: TurnSnapshot | null = null) {
    this.#database = database;
    this.#turn = turn;
    this.#statements = new Map(lookUps.map((name) => [name, prepare(database, name)]));
  }

  get progress(): Progress {
    const text = this.#database.prepare('SELECT progress FROM meta').get()?.progress;
    return JSON.parse(String(text)) as Progress;
  }

  get(lookUp: string, key: Uint8Array): IndexedRow | null {
    this.#turn?.begin();
    const row = this.#of(lookUp).get.get(key);
    return row ? toRow(row) : null;
  }

  range(lookUp: string, { from, below, isFalling = false }: KeyBounds, limit: number): readonly IndexedRow[] {
    this.#turn?.begin();
    const { range, fallingRange } = this.#of(lookUp);
    return (isFalling ? fallingRange : range).all(from, below, limit).map(toRow);
  }

  count(lookUp: string, { first, last }: PositionRange): number {
    return Number(this.#of(lookUp).count.get(first, last)?.rows);
  }

  snapshot<T>(read: () => T): T {
    this.#database.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  commit({ replaces, rows, progress }: IndexBatch): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      if (replaces)
        for (const { remove } of this.#statements.values()) remove.run(replaces.first, replaces.last);
      for (const { lookUp, rows: some } of rows) {
        const { put } = this.#of(lookUp);
        for (const { key, step, value } of some) put.run(step, key, packValue(value));
      }
      if (progress) this.#database.prepare('UPDATE meta SET progress = ?').run(JSON.stringify(progress));
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #of(lookUp: string): Statements {
    const statements = this.#statements.get(lookUp);
    if (!statements) throw new RangeError(`the index has no look-up ${lookUp}`);
    return statements;
  }
}

function prepare(database: DatabaseSync, name: string): Statements {
  const columns = 'key, step, value';
  // A bare `LIMIT ?` is planned again for each value: a short range takes twice as long (measured).
  const range = (direction: 'ASC' | 'DESC') =>
    database.prepare(
      `SELECT ${columns} FROM rows_${name} WHERE key >= ? AND key < ? ORDER BY key ${direction} LIMIT +?`,
    );
  return {
    get: asArrays(database.prepare(`SELECT ${columns} FROM rows_${name} WHERE key = ?`)),
    range: asArrays(range('ASC')),
    fallingRange: asArrays(range('DESC')),
    count: database.prepare(`SELECT count(*) AS rows FROM rows_${name} WHERE step BETWEEN ? AND ?`),
    put: database.prepare(`INSERT OR REPLACE INTO rows_${name} (step, key, value) VALUES (?, ?, ?)`),
    remove: database.prepare(`DELETE FROM rows_${name} WHERE step BETWEEN ? AND ?`),
  };
}

/** An object for each row takes longer than reading it. */
function asArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
}

/** `row`: as an array, which the types of Node do not know. */
function toRow(row: unknown): IndexedRow {
  const [key, step, value] = row as SQLOutputValue[];
  return { key: key as Uint8Array, step: Number(step), value: unpackValue(value as Uint8Array) };
}
