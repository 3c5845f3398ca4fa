import { openLogFile } from './log-file.ts';
import { OwnerLocks } from './owner-locks.ts';
import { SegmentFiles } from './segment-files.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** The open files of one data directory; lives in the worker thread. */
export interface LogStore {
  readonly directory: string;
  readonly log: SqliteFile;
  readonly segments: SegmentFiles;
  readonly owners: OwnerLocks;
}

export function openLogStore(directory: string): LogStore {
  const log = openLogFile(directory);
  const owners = new OwnerLocks(directory);
  owners.sweep(leaseOwners(log));
  return { directory, log, segments: new SegmentFiles(directory), owners };
}

export function closeLogStore(store: LogStore): void {
  store.segments.closeAll();
  store.owners.close();
  store.log.close();
}

/** Names in the leases of the log. */
function leaseOwners(log: SqliteFile): readonly string[] {
  const sql = `SELECT owner FROM writers UNION SELECT owner FROM members UNION SELECT owner FROM group_lanes`;
  return log.all<{ owner: string | null }>(sql).flatMap(({ owner }) => (owner === null ? [] : [owner]));
}
