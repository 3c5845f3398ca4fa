import type { StoredRow } from '../sealed/stored-row.ts';
import type { LogStore } from './log-store.ts';
import type { Segment } from './segment-files.ts';

/** A segment in whichever kind of file it is. */
export interface StoredSegment extends Segment {
  /** 1: in a sealed file. */
  readonly sealed: 0 | 1;
}

/** All segments, as a table expression. A segment is in one of the two tables, in the order of their reading here. */
export const STORED_SEGMENTS = `(SELECT id, topic, epoch, lane, 0 AS sealed FROM segments
  UNION ALL SELECT id, topic, epoch, lane, 1 AS sealed FROM sealed)`;

/** Offsets of one segment. */
export interface SegmentRange {
  readonly first: number;
  readonly next: number;
}

/** Positions of a segment's records, some of them more than once. */
export async function segmentPositions(
  store: LogStore,
  segment: StoredSegment,
  range: SegmentRange,
): Promise<readonly number[]> {
  const sql = 'SELECT DISTINCT position FROM records WHERE offset >= ? AND offset < ?';
  const read = (part: SegmentRange) => {
    const rows: Iterable<{ readonly position: number }> = segment.sealed
      ? segmentRows(store, segment, part, true)
      : store.segments.read(segment).iterate(sql, part.first, part.next);
    return Array.from(rows, ({ position }) => position);
  };
  const positions: number[] = [];
  for (const part of segmentParts(store, segment, range))
    for (const position of await store.sealed.frames.run(() => read(part))) positions.push(position);
  return positions;
}

/** Parts of a range that are read one after another: of a sealed file the records of each chunk. */
export function segmentParts(
  { sealed }: LogStore,
  segment: StoredSegment,
  { first, next }: SegmentRange,
): readonly SegmentRange[] {
  if (!segment.sealed) return [{ first, next }];
  return sealed
    .read(segment)
    .index.chunks.filter((chunk) => chunk.first < next && chunk.next > first)
    .map((chunk) => ({ first: Math.max(first, chunk.first), next: Math.min(next, chunk.next) }));
}

/**
 * Records of a segment, from whichever file has them. Values come empty if they are not wanted.
 * @throws SegmentMissingError, SealedFileError
 */
export function segmentRows(
  { segments, sealed }: LogStore,
  segment: StoredSegment,
  { first, next }: SegmentRange,
  withoutValues = false,
): Iterable<StoredRow> {
  if (segment.sealed) return sealed.read(segment).rows(first, next, withoutValues);
  const value = withoutValues ? "x'' AS value" : 'value';
  return segments.read(segment).iterate<StoredRow>(
    `SELECT offset, position, ends_step, appended_at, key, headers, ${value} FROM records
     WHERE offset >= ? AND offset < ? ORDER BY offset`,
    first,
    next,
  );
}
