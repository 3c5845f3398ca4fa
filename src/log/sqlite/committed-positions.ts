import type { LogStore } from './log-store.ts';
import type { Segment } from './segment-files.ts';

/** Positions of one segment, and how many segments there are. */
export interface SegmentPositions {
  readonly total: number;
  readonly ranges: readonly { readonly first: number; readonly last: number }[];
}

type RunRow = Segment & { readonly first: number; readonly next: number; readonly committed: number };

/**
 * Positions of the records of a topic's segment, by its number from 0, that a group which shares lanes has passed.
 * Values are not read.
 */
export function committedPositions(
  { log, segments }: LogStore,
  topic: string,
  group: string,
  index: number,
): SegmentPositions {
  const ids = log.all<{ id: number }>('SELECT id FROM segments WHERE topic = ? ORDER BY id', topic);
  const runs = log.all<RunRow>(
    `SELECT s.id, s.topic, s.epoch, s.lane, r.first, r.next, coalesce(g.committed, 0) AS committed
     FROM segments s JOIN runs r ON r.segment = s.id
     LEFT JOIN group_lanes g ON g.topic = s.topic AND g.lane = s.lane AND g.grp = ?
     WHERE s.id = ?`,
    group,
    ids[index]?.id ?? -1,
  );
  const ranges = runs
    .filter(({ first, committed }) => first < committed)
    .flatMap((run) =>
      segments.read(run).all<{ first: number; last: number }>(
        `SELECT min(position) AS first, max(position) AS last FROM (
           SELECT position, position - row_number() OVER (ORDER BY position) AS island
           FROM (SELECT DISTINCT position FROM records WHERE offset >= ? AND offset < ?)
         ) GROUP BY island`,
        run.first,
        Math.min(run.next, run.committed),
      ),
    );
  return { total: ids.length, ranges: ranges.map(({ first, last }) => ({ first, last })) };
}
