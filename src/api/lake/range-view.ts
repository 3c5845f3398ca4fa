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

/** First visible step of a projection's served version, in a statement of a view. */
export const firstVisible = (sources: LakeSources, projection: string): string =>
  `${toRange(sources, projection)}.1`;

/** Last visible step of a projection's served version, in a statement of a view. */
export const lastVisible = (sources: LakeSources, projection: string): string =>
  `${toRange(sources, projection)}.2`;

/** One text for both ends: the server runs a scalar subquery once for equal texts, and a run costs milliseconds. */
function toRange(sources: LakeSources, projection: string): string {
  return `(SELECT (first, last) FROM ${rangeName(sources, projection)})`;
}

/**
 * SELECT of one row (first, last): the visible range of a version. It begins with a range that is known to be visible and
 * adds the steps that were confirmed since, so that it reads few rows of `confirmed` and is never late. It has one level where
 * it can: the server analyses it in every statement.
 */
export function rangeSelect(database: string, known: VisibleRange, how: Confirming): string {
  const { partitions, isIsolated, epochSize } = how;
  const { first, last } = known;
  if (isIsolated && partitions === null)
    return `SELECT min(first) AS first, max(last) AS last FROM ${database}.confirmed`;
  const since = `FROM ${database}.confirmed AS c WHERE c.first >= ${Math.max(0, last - epochSize)} AND c.last > ${last}`;
  const ranges = 'arraySort(groupArray((c.first, c.last)))';
  const extended = 'if(range.1 <= reached + 1, greatest(reached, range.2), reached)';
  const reached = `arrayFold((reached, range) -> ${extended}, ${ranges}, toUInt32(${last}))`;
  if ((partitions ?? 1) === 1) return `SELECT toUInt32(${first}) AS first, ${reached} AS last ${since}`;
  // A partition without further ranges holds the others at the known end.
  return `SELECT toUInt32(${first}) AS first, if(count() = ${partitions}, min(p.reached), toUInt32(${last})) AS last FROM (SELECT ${reached} AS reached ${since} GROUP BY c.lane) AS p`;
}
