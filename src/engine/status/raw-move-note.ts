import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last move of sealed files of a data directory, as `status` shows it. */
export interface RawMoveNote {
  /** ISO time of its end. */
  readonly at: string;
  /** Folder or `s3://bucket/prefix`. */
  readonly to: string;
  /** Why it failed; null: all files are there. */
  readonly error: string | null;
}

const getFile = (directory: string): string => join(directory, 'raw-move.json');

/** Notes a move that has just ended. */
export function writeRawMoveNote(directory: string, { to, error }: Omit<RawMoveNote, 'at'>): void {
  const note: RawMoveNote = { at: new Date().toISOString(), to, error };
  writeFileSync(getFile(directory), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Null if nothing was moved, or the note is unreadable. */
export function readRawMoveNote(directory: string): RawMoveNote | null {
  try {
    return JSON.parse(readFileSync(getFile(directory), 'utf8')) as RawMoveNote;
  } catch {
    return null;
  }
}
