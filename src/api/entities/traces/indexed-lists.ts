import type { LookUps } from '../../look-up-port.ts';
import { findKnown, lackRows } from '../../query/known-rows.ts';
import { getLookUps } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { isOrderedByTime, type TraceFilter, type TracePlace } from './filter.ts';
import {
  BY_END,
  BY_PLACE,
  BY_TRANSACTION,
  findTraceRow,
  type ListedPart,
  listByEnd,
  listOfAccount,
} from './indexed-ids.ts';
import { type IndexedTrace, openTraces, toPage } from './indexed-rows.ts';
import { toName } from './indexed-traces.ts';
import type { TraceRow } from './model.ts';
import type { TraceList } from './plan.ts';
import { isSettled } from './settled.ts';

type Scope = ReadScope<'base' | 'traces'>;

/** Places that one page reads at most, each perhaps with the row of its trace: more would hold up other answers. */
const MAX_PLACES = 1_000;
/** Places that are read at a time, besides those of the page. */
const MORE = 32;
const MAX_LT = 2n ** 64n - 1n;

/** A page of a long list of traces from the look-up index. Null: statements have to find it. */
export function findListedTraces(scope: Scope, list: TraceList): readonly TraceRow[] | null {
  const { filter, page, visible } = list;
  // A list by time without an account begins in the middle: the index has no order of time.
  if (isOrderedByTime(filter) && !filter.account) return null;
  const lookUps = getLookUps(scope, list.databases.traces, BY_PLACE.lookUp.name);
  const { name } = (filter.account ? BY_TRANSACTION : BY_END).lookUp;
  const known = lookUps?.has(name) ? findKnown(scope, lookUps, visible) : null;
  if (!lookUps || !known) return null;
  if (!isBegun(filter, page, known.lt)) return lackRows(lookUps, visible);
  const toTrace = openTraces(scope);
  const seen = new Set<string>();
  const listed: IndexedTrace[] = [];
  const limit = page.limit + page.offset + MORE;
  let from: Uint8Array | null = null;
  for (let left = MAX_PLACES; left >= limit; left -= limit) {
    const places = listPlaces(lookUps, filter, known.lt, { descending: page.descending, limit, from });
    for (const place of places) {
      const name = toName(place);
      if (!isVisible(place.step, visible) || seen.has(name)) continue;
      seen.add(name);
      const row = findTraceRow(lookUps, place, visible);
      if (row === undefined) return null;
      const trace = row && toTrace(row.value);
      if (trace && isListed(filter, trace)) listed.push(trace);
    }
    const traces = toPage(listed, filter, page);
    const last = places.length < limit ? null : places.at(-1)!;
    const ends = traces.map(({ endLt }) => endLt);
    // All places from the lowest known one on were read.
    const isWhole = !last && isAllKnown(filter, known.lt);
    if (isWhole || isSettled(ends, filter, page, last?.lt ?? known.lt - 1n))
      return traces.map((trace) => trace.read());
    if (!last) return lackRows(lookUps, visible);
    from = last.key;
  }
  return null;
}

/** True if the beginning of a list is known. */
function isBegun(filter: TraceFilter, { descending }: Page, least: bigint): boolean {
  return descending || isAllKnown(filter, least);
}

/** True if nothing of a list is below the lowest known place. The traces of an account are found by its transactions. */
function isAllKnown({ account, startLt = 0n }: TraceFilter, least: bigint): boolean {
  return least <= (account ? 0n : startLt);
}

function listPlaces(lookUps: LookUps, filter: TraceFilter, known: bigint, part: ListedPart) {
  const { account, startLt = 0n, endLt = MAX_LT, scan } = filter;
  if (account) return listOfAccount(lookUps, account, known, part);
  const after = scan?.after && BigInt(scan.after.endLt);
  const bounds = { least: startLt > known ? startLt : known, most: endLt };
  // Rows of a trace that ends after a place also end there, or before it in an ascending list.
  if (after != null) bounds[scan!.descending ? 'most' : 'least'] = after;
  return listByEnd(lookUps, bounds, part);
}

/** True if a trace ends within the bounds of a list, after the place of a scan. */
function isListed({ startUtime, endUtime, startLt, endLt, scan }: TraceFilter, trace: IndexedTrace): boolean {
  return (
    (startUtime === undefined || trace.endUtime >= startUtime) &&
    (endUtime === undefined || trace.endUtime <= endUtime) &&
    (startLt === undefined || trace.endLt >= startLt) &&
    (endLt === undefined || trace.endLt <= endLt) &&
    (!scan?.after || isAfter(trace, scan.after, scan.descending))
  );
}

function isAfter({ endLt, id }: IndexedTrace, place: TracePlace, descending: boolean): boolean {
  const other = BigInt(place.endLt);
  if (endLt !== other) return endLt < other === descending;
  const order = Buffer.compare(id, Buffer.from(place.traceId, 'hex'));
  return descending ? order < 0 : order > 0;
}
