import { LT_SLACK, type Page } from '../../query/page.ts';
import { isOrderedByTime, type TraceFilter } from './filter.ts';

/**
 * Whether nothing beyond the last candidate can belong on the page. `ends`: lts of the ends of the page's traces; `edge`: the
 * lt by which the last candidate is listed.
 */
export function isSettled(ends: readonly bigint[], filter: TraceFilter, page: Page, edge: bigint): boolean {
  if (ends.length < page.limit) return false;
  const byTime = isOrderedByTime(filter);
  if (page.descending) {
    const slack = byTime || filter.account ? LT_SLACK : 0n;
    return ends.every((end) => end > edge + slack);
  }
  return ends.every((end) => end < edge - (byTime ? LT_SLACK : 0n));
}
