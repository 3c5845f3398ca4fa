import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { enterWal } from '../files/enter-wal.ts';
import { ensurePrivateFile } from '../files/private-directory.ts';
import { LocalCounts } from './local-counts.ts';
import type { WindowCount } from './window-count.ts';

export interface SharedCountsOptions {
  /** The file that the processes share; created if missing. */
  readonly path: string;
  readonly windowMs: number;
  /** Maximum names counted while the file is unusable; beyond it the least recently used one restarts from zero. */
  readonly mostNames: number;
  /** The file is unusable: this process counts locally for a while. */
  readonly onError: (error: unknown) => void;
  /** Longest wait for another process, which writes for some microseconds, ms. Default 100. */
  readonly busyMs?: number;
  /** Unix time, ms. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds that only grow. Default `performance.now`. */
  readonly monotonic?: () => number;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS counts (
  name TEXT PRIMARY KEY, began INTEGER NOT NULL, count INTEGER NOT NULL
) WITHOUT ROWID, STRICT`;

/** A window that begins later than `:latest` was begun before the clock was set back. */
const ADD = `INSERT INTO counts (name, began, count) VALUES (:name, :now, 1)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN began > :latest OR began + :window <= :now THEN 1 ELSE count + 1 END,
    began = CASE WHEN began > :latest OR began + :window <= :now THEN :now ELSE began END
  RETURNING count, began`;

const BUSY_MS = 100;
/**
 * A process that looked at its clock may count this much later, ms: it waited for another one, which began a window meanwhile, or
 * for a processor.
 */
const LATE_MS = 1_000;
/** Windows that have passed are removed this often, ms. */
const SWEEP_MS = 10_000;
/** After a failure this process counts locally for this time, ms. */
const ALONE_MS = 10_000;

/**
 * Counts by name in windows of time, shared by the processes that open one file, and exact. The file is as good as memory:
 * nothing waits for the disk, and what a power cut takes are counts of a second.
 */
export class SharedCounts {
  readonly #options: SharedCountsOptions;
  readonly #own: LocalCounts;
  readonly #monotonic: () => number;
  #database: { readonly file: DatabaseSync; readonly add: StatementSync } | null = null;
  #pausedUntil = 0;
  #sweptAt = 0;

  constructor(options: SharedCountsOptions) {
    this.#options = options;
    this.#own = new LocalCounts(options);
    this.#monotonic = options.monotonic ?? (() => performance.now());
  }

  /** Counts one more of a name. */
  add(name: string): WindowCount {
    if (this.#monotonic() >= this.#pausedUntil) {
      try {
        return this.#addShared(name, (this.#options.now ?? Date.now)());
      } catch (error) {
        this.close();
        this.#pausedUntil = this.#monotonic() + ALONE_MS;
        this.#options.onError(error);
      }
    }
    return this.#own.add(name);
  }

  close(): void {
    this.#database?.file.close();
    this.#database = null;
  }

  #addShared(name: string, now: number): WindowCount {
    const { file, add } = this.#open();
    const { windowMs: window } = this.#options;
    const latest = now + LATE_MS;
    const row = add.get({ name, now, window, latest }) as { count: number; began: number };
    if (Math.abs(now - this.#sweptAt) >= SWEEP_MS) {
      this.#sweptAt = now;
      file.prepare('DELETE FROM counts WHERE began + ? <= ? OR began > ?').run(window, now, latest);
    }
    return { count: row.count, leftMs: Math.min(window, row.began + window - now) };
  }

  #open() {
    if (this.#database) return this.#database;
    // The file has addresses of clients. SQLite gives its side files the same mode.
    const { path, busyMs = BUSY_MS } = this.#options;
    ensurePrivateFile(path);
    const file = new DatabaseSync(path, { timeout: busyMs });
    enterWal(file, busyMs);
    file.exec('PRAGMA synchronous=OFF; PRAGMA journal_size_limit=1048576');
    file.exec(SCHEMA);
    this.#database = { file, add: file.prepare(ADD) };
    return this.#database;
  }
}
