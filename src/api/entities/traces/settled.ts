import type { Page } from '../../query/page.ts';
import { isOrderedByTime, type TraceFilter } from './filter.ts';
import type { TraceRow } from './model.ts';

/**
 * Logical time of about fifty masterchain blocks: a trace of the account ends at most this far after its transaction
 * there, and the orders of lt and time differ by no more.
 */
const SLACK = 50_000_000n;

/** Whether nothing beyond the last candidate can belong on the page. `edge`: the lt by which that one is listed. */
export function isSettled(
  traces: readonly Pick<TraceRow, 'end_lt'>[],
  filter: TraceFilter,
  page: Page,
  edge: bigint,
): boolean {
  if (traces.length < page.limit) return false;
  const ends = traces.map(({ end_lt: lt }) => BigInt(lt));
  const byTime = isOrderedByTime(filter);
  if (page.descending) {
    const slack = byTime || filter.account ? SLACK : 0n;
    return ends.every((end) => end > edge + slack);
  }
  return ends.every((end) => end < edge - (byTime ? SLACK : 0n));
}
