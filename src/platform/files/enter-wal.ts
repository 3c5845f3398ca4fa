import type { DatabaseSync } from 'node:sqlite';
import { sqliteResultCode } from './sqlite-result-code.ts';

const BUSY = 5;
const PAUSE_MS = 10;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Switches a file to WAL. SQLite does not call its busy handler if two processes switch a new file at the same time, so
 * this retries until `timeoutMs` have passed. It blocks the thread meanwhile.
 */
export function enterWal(database: DatabaseSync, timeoutMs: number): void {
  for (let left = timeoutMs; ; left -= PAUSE_MS) {
    try {
      database.exec('PRAGMA journal_mode=WAL');
      return;
    } catch (error) {
      if (sqliteResultCode(error) !== BUSY || left <= 0) throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}
