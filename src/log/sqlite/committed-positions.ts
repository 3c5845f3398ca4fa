import type { LogStore } from './log-store.ts';
import {
  type SegmentRange,
  STORED_SEGMENTS,
  type StoredSegment,
  segmentPositions,
} from './stored-segments.ts';

/** Positions of one segment, and how many segments there are. */
export interface SegmentPositions {
  readonly total: number;
  readonly ranges: readonly { readonly first: number; readonly last: number }[];
}

type RunRow = StoredSegment &
  SegmentRange & { readonly committed: number; readonly positions: string | null };

/**
 * Positions of the records of a topic's segment, by its number from 0, that a group which shares lanes has passed.
 * Values are not read.
 */
export async function committedPositions(
  store: LogStore,
  topic: string,
  group: string,
  index: number,
): Promise<SegmentPositions> {
  const { log } = store;
  const ids = log.all<{ id: number }>(`SELECT id FROM ${STORED_SEGMENTS} WHERE topic = ? ORDER BY id`, topic);
  const runs = log.all<RunRow>(
    `SELECT s.id, s.topic, s.epoch, s.lane, s.sealed, r.first, r.next, coalesce(g.committed, 0) AS committed,
       (SELECT f.positions FROM sealed f WHERE f.id = s.id) AS positions
     FROM ${STORED_SEGMENTS} s JOIN runs r ON r.segment = s.id
     LEFT JOIN group_lanes g ON g.topic = s.topic AND g.lane = s.lane AND g.grp = ?
     WHERE s.id = ?`,
    group,
    ids[index]?.id ?? -1,
  );
  const total = ids.length;
  // Of a sealed segment the positions are recorded: its file need not be read, or be whole.
  const recorded = runs.every(({ next, committed }) => next <= committed) && runs[0]?.positions;
  if (recorded) return { total, ranges: JSON.parse(recorded) as SegmentPositions['ranges'] };
  const ranges: { first: number; last: number }[] = [];
  for (const run of runs.filter(({ first, committed }) => first < committed)) {
    const passed = { ...run, next: Math.min(run.next, run.committed) };
    ranges.push(...joinPositions(await segmentPositions(store, run, passed)));
  }
  return { total, ranges };
}

/** Positions as ranges, both ends inclusive. */
export function joinPositions(positions: Iterable<number>): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const position of [...positions].sort((a, b) => a - b)) {
    const latest = ranges.at(-1);
    if (latest && position <= latest.last + 1) latest.last = position;
    else ranges.push({ first: position, last: position });
  }
  return ranges;
}
