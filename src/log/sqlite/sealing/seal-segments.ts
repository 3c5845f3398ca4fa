import { takeDirectoryLock } from '../../../platform/files/directory-lock.ts';
import { makeFolders } from '../../../platform/files/folders.ts';
import type { SealedRange } from '../../port.ts';
import { SealingHeldError } from '../errors.ts';
import type { LogStore } from '../log-store.ts';
import { passedSegments } from '../retention.ts';
import type { StoredSegment } from '../stored-segments.ts';
import { readExtent } from '../topics.ts';
import { type SealStep, sealSegment } from './seal-segment.ts';
import { findSealed } from './sealed-place.ts';

/**
 * Seals the epochs before that of the newest step which all groups have passed, one process at a time. The next step is done
 * when it is asked for, so that others can append and read between them.
 * @throws SealingHeldError if another process seals
 */
export function* sealSegments(store: LogStore, topic: string): Generator<SealStep, void> {
  const { folder } = store.sealed;
  makeFolders(folder);
  const lock = takeDirectoryLock(folder, 'sealing.lock');
  if (!lock) throw new SealingHeldError(folder);
  try {
    sweepSealed(store);
    for (const segment of finishedSegments(store, topic)) yield* sealSegment(store, segment);
  } finally {
    lock.release();
  }
}

/** Segments of the epochs before that of the newest step that all groups have passed and that are not sealed. */
export function finishedSegments(store: LogStore, topic: string): readonly StoredSegment[] {
  const { tail, epochSize } = readExtent(store, topic);
  return passedSegments(store, topic, Math.floor(tail / epochSize)).filter(({ sealed }) => !sealed);
}

/** Removes sealed files that the directory does not name; the caller holds the lock of sealing. */
export function sweepSealed({ log, sealed }: LogStore): void {
  sealed.sweep((id) => log.get('SELECT 1 FROM sealed WHERE id = ?', id) !== undefined);
}

/** The sealed segments of a topic, by epoch. */
export function listSealed({ log, sealed }: LogStore, topic: string): readonly SealedRange[] {
  const rows = log.all<Omit<SealedRange, 'folder'>>(
    `SELECT id, epoch, first_position AS first, last_position AS last, records, bytes FROM sealed
     WHERE topic = ? ORDER BY epoch, id`,
    topic,
  );
  return rows.map((row) => ({ ...row, folder: findSealed(sealed.path({ ...row, topic })) }));
}
