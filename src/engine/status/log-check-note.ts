import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last `verify --log` of a data directory, as `status` shows it. */
export interface LogCheckNote {
  /** ISO time of its end. */
  readonly at: string;
  readonly records: number;
  readonly problems: number;
}

const getFile = (directory: string): string => join(directory, 'log-check.json');

/** Notes a check that has just ended. */
export function writeLogCheckNote(
  directory: string,
  { records, problems }: Pick<LogCheckNote, 'records' | 'problems'>,
): void {
  const note: LogCheckNote = { at: new Date().toISOString(), records, problems };
  writeFileSync(getFile(directory), `${JSON.stringify(note)}\n`);
}

/** Null if the log was never checked, or the note is unreadable. */
export function readLogCheckNote(directory: string): LogCheckNote | null {
  try {
    return JSON.parse(readFileSync(getFile(directory), 'utf8')) as LogCheckNote;
  } catch {
    return null;
  }
}
