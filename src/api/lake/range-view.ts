import type { VisibleRange } from '../version-vector.ts';
import { helperName, type LakeSources } from './sources.ts';

/** How a version confirms its steps. */
export interface Confirming {
  /** Partitions that confirm for themselves; null: epochs of one contiguous range. */
  readonly partitions: number | null;
  /** Unrelated blocks: everything between the first and the last step is visible. */
  readonly isIsolated: boolean;
  /** No confirmed range is longer. */
  readonly epochSize: number;
}

/** Name of the view with the visible range of a projection's served version. */
export function rangeName(sources: LakeSources, projection: string): string {
  return helperName(sources, { name: projection, reads: projection });
}

/**
 * SELECT of one row (first, last): the visible range of a version. It begins with a range that is known to be visible and
 * adds the steps that were confirmed since, so that it reads few rows of `confirmed` and is never late.
 */
export function rangeSelect(database: string, known: VisibleRange, how: Confirming): string {
  const { partitions, isIsolated, epochSize } = how;
  const { first, last } = known;
  if (isIsolated && partitions === null)
    return `SELECT min(first) AS first, max(last) AS last FROM ${database}.confirmed`;
  const lane = partitions === null ? '0' : 'lane';
  const since = `first > ${Math.max(0, last - epochSize) - 1} AND last > ${last}`;
  const before = `max(toUInt64(c.last)) OVER (PARTITION BY ${lane} ORDER BY c.first, c.last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const marked = `SELECT ${lane} AS part, c.first AS first, c.last AS last, c.first > 1 + greatest(${last}, ${before}) AS is_gap FROM ${database}.confirmed AS c WHERE ${since}`;
  const islands = `SELECT m.part AS part, m.last AS last, sum(m.is_gap) OVER (PARTITION BY m.part ORDER BY m.first, m.last) AS gaps FROM (${marked}) AS m`;
  const reached = `SELECT i.part AS part, max(i.last) AS reached FROM (${islands}) AS i WHERE i.gaps = 0 GROUP BY i.part`;
  return `SELECT toUInt32(${first}) AS first, if(count() = ${partitions ?? 1}, toUInt32(min(r.reached)), toUInt32(${last})) AS last FROM (${reached}) AS r`;
}
