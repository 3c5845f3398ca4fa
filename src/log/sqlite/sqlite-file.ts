import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { enterWal } from '../../platform/files/enter-wal.ts';
import { sqliteResultCode } from '../../platform/files/sqlite-result-code.ts';
import { NewerLogFileError, NotALogFileError, SegmentMissingError } from './errors.ts';

/** Marks our files in SQLite's header (`PRAGMA application_id`): the bytes "tonh". */
const APPLICATION_ID = 0x746f6e68;
const BUSY_TIMEOUT_MS = 15_000;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

export interface FileSchema {
  readonly version: number;
  /** The newest version that this program reads; default: `version`. */
  readonly newest?: number;
  /** Statements that make an empty file one of this version. */
  readonly create: string;
  /** Later additions to the version: statements that have no effect if repeated. */
  readonly later?: string;
}

/** Statements of a transaction, and of a part of one. */
const TRANSACTION = { begin: 'BEGIN IMMEDIATE', commit: 'COMMIT', undo: 'ROLLBACK' };
const SAVEPOINT = { begin: 'SAVEPOINT part', commit: 'RELEASE part', undo: 'ROLLBACK TO part; RELEASE part' };

/** One SQLite file in WAL mode: prepared statements are kept by their text, write transactions start at once. */
export class SqliteFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  /**
   * Opens the file, and where `create` is set makes it. `synchronous=FULL` in WAL mode: a transaction that
   * committed survives a power cut, not only the death of the process.
   */
  static open(path: string, schema: FileSchema, create: boolean): SqliteFile {
    const url = pathToFileURL(path);
    url.searchParams.set('mode', create ? 'rwc' : 'rw');
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS });
      const file = new SqliteFile(path, database);
      file.#prepare(schema, create);
      return file;
    } catch (error) {
      database?.close();
      const code = sqliteResultCode(error);
      if (code === NOT_A_DATABASE) throw new NotALogFileError(path, 'a file that SQLite cannot read');
      if (code === CANNOT_OPEN && !create) throw new SegmentMissingError(path);
      throw error;
    }
  }

  #prepare(schema: FileSchema, create: boolean): void {
    this.#refuseForeign();
    if (create && this.#pragma('user_version') === 0) {
      this.#database.exec('PRAGMA page_size=8192; PRAGMA auto_vacuum=NONE');
    }
    enterWal(this.#database, BUSY_TIMEOUT_MS);
    this.#database.exec('PRAGMA synchronous=FULL; PRAGMA journal_size_limit=67108864');
    if (create && this.#pragma('user_version') === 0) {
      this.transaction(() => this.#createSchema(schema));
    }
    const version = this.#pragma('user_version');
    const { newest = schema.version } = schema;
    if (version > newest) throw new NewerLogFileError(this.path, version, newest);
    if (create && schema.later) this.#database.exec(schema.later);
  }

  /** Before anything is changed: a file with tables and without our mark belongs to another program. */
  #refuseForeign(): void {
    const tables = this.#database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
    const application = this.#pragma('application_id');
    if (tables !== 0 && application !== APPLICATION_ID)
      throw new NotALogFileError(this.path, `a database with application_id ${application}`);
  }

  #createSchema(schema: FileSchema): void {
    // Another process may have been first.
    if (this.#pragma('user_version') !== 0) return;
    this.#database.exec(schema.create);
    this.#database.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${schema.version}`);
  }

  #pragma(name: 'user_version' | 'application_id'): number {
    return Number(this.#database.prepare(`PRAGMA ${name}`).get()?.[name]);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The first row; `Row` names the columns as the statement returns them. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Rows one by one, so that a reader may stop before the whole range is in memory. */
  iterate<Row>(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    return this.#statement(sql).iterate(...values) as Iterable<Row>;
  }

  /** Returns the number of rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Changes when another connection commits; commits of this connection do not change it. */
  get dataVersion(): number {
    return this.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  /**
   * Runs a write transaction. It takes the write lock first, so it never has to repeat for a stale snapshot. A nested
   * call is a savepoint, which is undone separately if it throws.
   */
  transaction<Result>(body: () => Result): Result {
    const { begin, commit, undo } = this.#database.isTransaction ? SAVEPOINT : TRANSACTION;
    this.#database.exec(begin);
    try {
      const result = body();
      this.#database.exec(commit);
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec(undo);
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
