import { valueColumns } from '../../../tables/look-ups/look-ups.ts';
import { TRACE_TABLES } from '../../../tables/traces.ts';
import { detailsReader } from '../../compat/details-reader.ts';
import { hash8 } from '../../query/keys.ts';
import { getLookUps } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { byTables } from '../../served-tables.ts';
import { findIndexed } from '../transactions/indexed.ts';
import type { TransactionRow } from '../transactions/model.ts';
import { isOrderedByTime, type TraceFilter } from './filter.ts';
import { BY_PLACE, findTracePlace, findTraceRow, type TracePlace } from './indexed-ids.ts';
import { TRACE_COLUMNS, type TraceRow, traceRow } from './model.ts';
import { planCandidateKeys, type TraceList } from './plan.ts';

type Scope = ReadScope<'base' | 'traces'>;

/**
 * Traces that a filter names only by the hashes of transactions or by their ids, from the look-up index, in the order of
 * their ends. Null: a statement has to find them.
 */
export function findNamedTraces(scope: Scope, filter: TraceFilter, page: Page): readonly TraceRow[] | null {
  const names = getNames(filter);
  const { traces } = scope.databases;
  const lookUps = names && getLookUps(scope, traces, BY_PLACE.lookUp.name);
  const { base } = scope.context.vector();
  if (!lookUps || base.state !== 'served' || base.database !== scope.databases.base) return null;
  // A trace is visible if a part of it is, also one that another transaction belongs to.
  const { found, unknown, hidden } = findIndexed({ ...scope, visible: base.visible }, names.hashes);
  if (unknown.length > 0 || hidden.length > 0) return null;
  const rows = new Map<string, TraceRow>();
  for (const [hash, transaction] of found) {
    const place = names.areIds
      ? { startLt: BigInt(transaction.lt), trace8: hash8(hash) }
      : findTracePlace(lookUps, transaction, scope.visible);
    if (place === undefined) return null;
    const row = place && findTraceRow(lookUps, place, scope.visible);
    if (row === undefined) return null;
    if (place && row) rows.set(toName(place), readTrace(scope, row.value));
  }
  return toPage([...rows.values()], filter, page);
}

/** Null if the filter has other conditions. */
function getNames({ traceIds = [], txHashes = [], ...others }: TraceFilter) {
  const hasOthers = Object.values(others).some((value) => value !== undefined && !isEmptyList(value));
  if (hasOthers || (traceIds.length > 0 && txHashes.length > 0)) return null;
  const areIds = traceIds.length > 0;
  const hashes = [...new Set((areIds ? traceIds : txHashes).map((hash) => hash.toUpperCase()))];
  return hashes.length > 0 ? { areIds, hashes } : null;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function toName({ startLt, trace8 }: TracePlace): string {
  return `${startLt} ${trace8}`;
}

function toPage(
  rows: readonly TraceRow[],
  filter: TraceFilter,
  { descending, offset, limit }: Page,
): readonly TraceRow[] {
  const end = ({ end_utime, end_lt }: TraceRow) => BigInt(isOrderedByTime(filter) ? end_utime : end_lt);
  const sorted = rows.toSorted((a, b) => {
    const [one, other] = [end(a), end(b)];
    if (one !== other) return one < other ? -1 : 1;
    return Buffer.compare(Buffer.from(a.trace_id, 'base64'), Buffer.from(b.trace_id, 'base64'));
  });
  return (descending ? sorted.toReversed() : sorted).slice(offset, offset + limit);
}

/** Reads of rows of traces for one page: more would hold up other answers. */
const MAX_CANDIDATES = 1_000;

/** A page of the first candidates of a long list. */
export interface CandidatePage {
  readonly traces: readonly TraceRow[];
  /** Number of candidates: fewer than wanted are all that there are. */
  readonly count: number;
  /** The last one's lt. */
  readonly edge: bigint;
}

/**
 * The page of the first `wanted` candidates: a statement names them, the look-up index has their newest rows. Null:
 * statements have to find them.
 */
export async function readIndexedCandidates(
  scope: Scope,
  list: TraceList,
  wanted: number,
): Promise<CandidatePage | null> {
  const { filter, page, visible } = list;
  const lookUps = getLookUps(scope, list.databases.traces, BY_PLACE.lookUp.name);
  if (filter.scan || wanted > MAX_CANDIDATES || !lookUps?.covers(visible)) return null;
  const keys = await scope.query(planCandidateKeys(list, wanted));
  const places = new Map(
    keys.map(([startLt, trace8]) => [
      `${startLt} ${trace8}`,
      { startLt: BigInt(startLt as string), trace8: BigInt(trace8 as string) },
    ]),
  );
  const found: TraceRow[] = [];
  for (const place of places.values()) {
    const row = findTraceRow(lookUps, place, visible);
    if (row === undefined) return null;
    const trace = row && readTrace(scope, row.value);
    if (trace && hasEnd(filter, trace)) found.push(trace);
  }
  const traces = toPage(found, filter, page);
  return { traces, count: keys.length, edge: BigInt((keys.at(-1)?.[2] ?? '0') as string) };
}

/** True if a trace ends within the bounds of a list. */
function hasEnd({ startUtime, endUtime, startLt, endLt }: TraceFilter, trace: TraceRow): boolean {
  const lt = BigInt(trace.end_lt);
  return (
    (startUtime === undefined || trace.end_utime >= startUtime) &&
    (endUtime === undefined || trace.end_utime <= endUtime) &&
    (startLt === undefined || lt >= startLt) &&
    (endLt === undefined || lt <= endLt)
  );
}

/** How a version's rows are read: its columns, in the order of the value. */
const getReader = byTables((tables) => {
  const types: Readonly<Record<string, string>> = tables?.traces ?? TRACE_TABLES.traces;
  const columns = valueColumns(BY_PLACE.lookUp, tables?.traces);
  return { columns, read: detailsReader(columns.map((name) => types[name] as string)) };
});

function readTrace({ context, databases }: Scope, value: Uint8Array): TraceRow {
  const { columns, read } = getReader(context.getTables?.(databases.traces) ?? null);
  const values = read(Buffer.from(value.buffer, value.byteOffset, value.length));
  const byName = new Map(columns.map((name, i) => [name, values[i]]));
  return traceRow(TRACE_COLUMNS.map((name) => byName.get(name) ?? null));
}

/** Groups transactions by their traces, from the look-up index; null if statements have to find out. */
export function groupByTrace<Key extends { readonly start_lt: string; readonly trace8: string }>(
  scope: Scope,
  traces: readonly Key[],
): ((rows: readonly TransactionRow[]) => ReadonlyMap<Key, readonly TransactionRow[]> | null) | null {
  const lookUps = getLookUps(scope, scope.databases.traces, BY_PLACE.lookUp.name);
  if (!lookUps?.covers(scope.visible)) return null;
  const byName = new Map(traces.map((trace) => [`${trace.start_lt} ${trace.trace8}`, trace]));
  return (rows) => {
    const groups = new Map<Key, TransactionRow[]>();
    for (const row of rows) {
      const place = findTracePlace(lookUps, row, scope.visible);
      const trace = place && byName.get(toName(place));
      if (!trace) return null;
      groups.set(trace, [...(groups.get(trace) ?? []), row]);
    }
    return groups;
  };
}
