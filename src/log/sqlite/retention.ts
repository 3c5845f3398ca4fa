import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stepFrom } from '../port.ts';
import { requireIdentity } from './identity.ts';
import type { LogStore } from './log-store.ts';
import { STORED_SEGMENTS, type StoredSegment } from './stored-segments.ts';

/**
 * Frees the epochs below `epoch` that every group of the topic has passed, sealed or not. Kept is the segment of the
 * tail, from which capture resumes. First the
 * directory forgets a segment, then its file goes: a crash between the two leaves a file for the next sweep.
 */
export function trimTopic(store: LogStore, topic: string, epoch: number): readonly number[] {
  const { log, segments, sealed } = store;
  const freed = log.transaction(() => {
    const passed = passedSegments(store, topic, epoch);
    for (const { id } of passed) {
      log.run('DELETE FROM runs WHERE segment = ?', id);
      log.run('DELETE FROM segments WHERE id = ?', id);
      log.run('DELETE FROM sealed WHERE id = ?', id);
      log.run('DELETE FROM joined WHERE id = ?', id);
    }
    return passed;
  });
  for (const segment of freed) (segment.sealed ? sealed : segments).delete(segment);
  return [...new Set(freed.map((segment) => segment.epoch))];
}

/**
 * Segments of the epochs below `epoch` that every group of the topic has passed (no group: all of them), except that
 * of the tail and those in which nothing was published yet.
 */
export function passedSegments(store: LogStore, topic: string, epoch: number): readonly StoredSegment[] {
  return store.log.all<StoredSegment>(
    `SELECT s.id, s.topic, s.epoch, s.lane, s.sealed FROM ${STORED_SEGMENTS} s JOIN topics t USING (topic)
     WHERE topic = ?1 AND s.epoch < ?2 AND s.id <> coalesce(t.tail_segment, -1)
       AND (SELECT max(r.next) FROM runs r WHERE r.segment = s.id) <= coalesce(
         (SELECT min(g.committed) FROM group_lanes g WHERE g.topic = ?1 AND g.lane = s.lane AND ${SHARES_LANES}),
         (SELECT l.next FROM lanes l WHERE l.topic = ?1 AND l.lane = s.lane))
     ORDER BY s.epoch, s.id`,
    topic,
    Math.min(epoch, partitionsPast(store, topic)),
  );
}

/** Condition on `group_lanes g`: the group shares lanes, not partitions. */
export const SHARES_LANES =
  'NOT EXISTS (SELECT 1 FROM partitioned_groups p WHERE p.topic = g.topic AND p.grp = g.grp)';

/** The epoch that the last of the topic's partitions is in. */
function partitionsPast(store: LogStore, topic: string): number {
  const row = store.log.get<{ committed: number | null }>(
    `SELECT min(g.committed) AS committed FROM group_lanes g WHERE g.topic = ? AND NOT ${SHARES_LANES}`,
    topic,
  );
  if (typeof row?.committed !== 'number') return Infinity;
  return Math.floor(stepFrom(row.committed) / requireIdentity(store).epochSize);
}

/** Removes segment files that the directory does not name. */
export function sweepSegments({ log, segments }: LogStore): void {
  segments.sweep((id) => log.get('SELECT 1 FROM segments WHERE id = ?', id) !== undefined);
}

/** Bytes of all files of the log, its write-ahead logs included. */
export function sizeOnDisk({ directory }: LogStore): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0);
}
