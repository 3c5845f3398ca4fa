import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteResultCode } from './sqlite-result-code.ts';

/** SQLite's primary result code for "another connection holds the lock". */
const SQLITE_BUSY = 5;
/** Longer than any look at the lock takes, so that a look never fails a start. */
const TAKE_TIMEOUT_MS = 1_000;

/** Whether the statement got its lock; the primary result code is the low byte of SQLite's error code. */
function locks(database: DatabaseSync, sql: string): boolean {
  try {
    database.exec(sql);
    return true;
  } catch (error) {
    const code = sqliteResultCode(error);
    if (code === SQLITE_BUSY) return false;
    throw error;
  }
}

/** Locks of this process: a connection that nothing refers to would be closed with its lock when memory is collected. */
const held = new Set<DatabaseSync>();

/**
 * Takes the exclusive lock `name` of a directory until `release`, or answers null where another process has it. The
 * kernel frees the lock with the process, however it dies, so a lock is never stale and no process id has to be
 * trusted. (SQLite's file lock is the one that Node offers without native code.)
 */
export function takeDirectoryLock(directory: string, name: string): { release(): void } | null {
  const database = new DatabaseSync(join(directory, name), { timeout: TAKE_TIMEOUT_MS });
  if (!locks(database, 'BEGIN EXCLUSIVE')) {
    database.close();
    return null;
  }
  held.add(database);
  const release = () => {
    held.delete(database);
    database.close();
  };
  return { release };
}

/** Whether a live process holds the lock. Looks by a shared lock, so that lookers never block each other. */
export function isDirectoryLocked(directory: string, name: string): boolean {
  const database = new DatabaseSync(join(directory, name), { timeout: 0 });
  try {
    return !locks(database, 'SELECT count(*) FROM sqlite_master');
  } finally {
    database.close();
  }
}
