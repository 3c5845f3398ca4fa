import { openLogFile } from './log-file.ts';
import { SegmentFiles } from './segment-files.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** The open files of one data directory; lives in the worker thread. */
export interface LogStore {
  readonly directory: string;
  readonly log: SqliteFile;
  readonly segments: SegmentFiles;
}

export function openLogStore(directory: string): LogStore {
  return { directory, log: openLogFile(directory), segments: new SegmentFiles(directory) };
}

export function closeLogStore(store: LogStore): void {
  store.segments.closeAll();
  store.log.close();
}
