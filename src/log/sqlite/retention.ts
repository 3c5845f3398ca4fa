import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogStore } from './log-store.ts';
import type { Segment } from './segment-files.ts';

/**
 * Frees the epochs below `epoch` that every group of the topic has passed (no group: all of them). Kept are the
 * segment of the tail, from which capture resumes, and segments nothing was published in yet. First the
 * directory forgets a segment, then its file goes: a crash between the two leaves a file for the next sweep.
 */
export function trimTopic(store: LogStore, topic: string, epoch: number): readonly number[] {
  const { log, segments } = store;
  const freed = log.transaction(() => {
    const passed = log.all<Segment>(
      `SELECT s.id, s.topic, s.epoch, s.lane FROM segments s JOIN topics t USING (topic)
       WHERE topic = ?1 AND s.epoch < ?2 AND s.id <> coalesce(t.tail_segment, -1)
         AND (SELECT max(r.next) FROM runs r WHERE r.segment = s.id) <= coalesce(
           (SELECT min(g.committed) FROM group_lanes g WHERE g.topic = ?1 AND g.lane = s.lane),
           (SELECT l.next FROM lanes l WHERE l.topic = ?1 AND l.lane = s.lane))
       ORDER BY s.epoch`,
      topic,
      epoch,
    );
    for (const { id } of passed) {
      log.run('DELETE FROM runs WHERE segment = ?', id);
      log.run('DELETE FROM segments WHERE id = ?', id);
    }
    return passed;
  });
  for (const segment of freed) segments.delete(segment);
  return freed.map((segment) => segment.epoch);
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
