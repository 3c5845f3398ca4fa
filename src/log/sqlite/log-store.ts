import { RemoteFrames, type RemoteReading } from '../sealed/remote/remote-frames.ts';
import { SealedFiles, type SealedOffsets } from '../sealed/sealed-files.ts';
import type { ValuePacking } from '../sealed/value-packing.ts';
import { type LeaseClock, LeaseWatch, SYSTEM_CLOCK } from './lease-watch.ts';
import { openLogFile } from './log-file.ts';
import { OwnerLocks } from './owner-locks.ts';
import { SegmentFiles } from './segment-files.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** The open files of one data directory; lives in the worker thread. */
export interface LogStore {
  readonly directory: string;
  readonly log: SqliteFile;
  readonly segments: SegmentFiles;
  readonly sealed: SealedFiles;
  readonly owners: OwnerLocks;
  readonly leases: LeaseWatch;
}

/** No login: files in buckets cannot be read. */
const NO_READING: RemoteReading = { settings: { s3Region: 'us-east-1' }, cacheBytes: 0 };

/** `packing`: form of values in sealed files. `reading`: of those that are in buckets. */
export function openLogStore(
  directory: string,
  clock: LeaseClock = SYSTEM_CLOCK,
  packing: ValuePacking | null = null,
  reading: RemoteReading = NO_READING,
): LogStore {
  const log = openLogFile(directory);
  const owners = new OwnerLocks(directory);
  owners.sweep(leaseOwners(log));
  sweepSessions(log);
  const leases = new LeaseWatch(owners, clock);
  const segments = new SegmentFiles(directory);
  const sealed = new SealedFiles(directory, { packing, frames: new RemoteFrames(reading) }, (id) =>
    findOffsets(log, id),
  );
  return { directory, log, segments, sealed, owners, leases };
}

export function closeLogStore(store: LogStore): void {
  store.segments.closeAll();
  store.sealed.frames.close();
  store.sealed.closeAll();
  store.owners.close();
  store.log.close();
}

const LEASE_OWNERS =
  'SELECT owner FROM writers UNION SELECT owner FROM members UNION SELECT owner FROM group_lanes';

/** Offsets of a sealed file of another log; null for one of this log. */
function findOffsets(log: SqliteFile, id: number): SealedOffsets | null {
  return log.get<SealedOffsets>('SELECT origin, shift FROM joined WHERE id = ?', id) ?? null;
}

/** Names in the leases of the log. */
function leaseOwners(log: SqliteFile): readonly string[] {
  return log
    .all<{ owner: string | null }>(LEASE_OWNERS)
    .flatMap(({ owner }) => (owner === null ? [] : [owner]));
}

/** Removes the session lengths of owners without a lease. */
function sweepSessions(log: SqliteFile): void {
  const unused = `FROM sessions WHERE owner NOT IN (SELECT owner FROM (${LEASE_OWNERS}) WHERE owner IS NOT NULL)`;
  // Without anything to remove, the file is not written.
  if (log.get(`SELECT 1 ${unused}`)) log.run(`DELETE ${unused}`);
}
