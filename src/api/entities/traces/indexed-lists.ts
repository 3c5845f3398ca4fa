import type { LookUps } from '../../look-up-port.ts';
import { getLookUps } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { isOrderedByTime, type TraceFilter, type TracePlace, tracePlace } from './filter.ts';
import { BY_PLACE, findTraceRow, type ListedPart, listByEnd, listOfAccount } from './indexed-ids.ts';
import { readTrace, toName, toPage } from './indexed-traces.ts';
import type { TraceRow } from './model.ts';
import type { TraceList } from './plan.ts';
import { isSettled } from './settled.ts';

type Scope = ReadScope<'base' | 'traces'>;

/** Rows of traces that one page reads at most: more would hold up other answers. */
const MAX_CANDIDATES = 1_000;
/** A trace that grew has several rows. */
const SPARE = 8;
/** Factor of the next read if the first candidates did not settle the page. */
const MORE = 4;
const MAX_LT = 2n ** 64n - 1n;

/** A page of a long list of traces from the look-up index. Null: statements have to find it. */
export function findListedTraces(scope: Scope, list: TraceList): readonly TraceRow[] | null {
  const { filter, page, visible } = list;
  // A list by time without an account begins in the middle: the index has no order of time.
  if (isOrderedByTime(filter) && !filter.account) return null;
  const lookUps = getLookUps(scope, list.databases.traces, BY_PLACE.lookUp.name);
  if (!lookUps?.covers(visible)) return null;
  const rows = new Map<string, TraceRow | null>();
  for (let limit = page.limit + page.offset + SPARE; limit <= MAX_CANDIDATES; limit *= MORE) {
    const places = listPlaces(lookUps, filter, { descending: page.descending, limit });
    for (const place of places) {
      const name = toName(place);
      if (!isVisible(place.step, visible) || rows.has(name)) continue;
      const row = findTraceRow(lookUps, place, visible);
      if (row === undefined) return null;
      rows.set(name, row && readTrace(scope, row.value));
    }
    const traces = toPage(
      [...rows.values()].filter((row) => row !== null && isListed(filter, row)) as TraceRow[],
      filter,
      page,
    );
    if (places.length < limit || isSettled(traces, filter, page, places.at(-1)!.lt)) return traces;
  }
  return null;
}

function listPlaces(lookUps: LookUps, filter: TraceFilter, part: ListedPart) {
  const { account, startLt = 0n, endLt = MAX_LT, scan } = filter;
  if (account) return listOfAccount(lookUps, account, part);
  const after = scan?.after && BigInt(scan.after.endLt);
  const bounds = { least: startLt, most: endLt };
  // Rows of a trace that ends after a place also end there, or before it in an ascending list.
  if (after != null) bounds[scan!.descending ? 'most' : 'least'] = after;
  return listByEnd(lookUps, bounds, part);
}

/** True if a trace ends within the bounds of a list, after the place of a scan. */
function isListed({ startUtime, endUtime, startLt, endLt, scan }: TraceFilter, trace: TraceRow): boolean {
  const lt = BigInt(trace.end_lt);
  return (
    (startUtime === undefined || trace.end_utime >= startUtime) &&
    (endUtime === undefined || trace.end_utime <= endUtime) &&
    (startLt === undefined || lt >= startLt) &&
    (endLt === undefined || lt <= endLt) &&
    (!scan?.after || isAfter(tracePlace(trace), scan.after, scan.descending))
  );
}

function isAfter(one: TracePlace, other: TracePlace, descending: boolean): boolean {
  const [a, b] = [BigInt(one.endLt), BigInt(other.endLt)];
  if (a !== b) return a < b === descending;
  return one.traceId !== other.traceId && one.traceId < other.traceId === descending;
}
