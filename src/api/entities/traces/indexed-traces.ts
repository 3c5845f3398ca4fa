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

/** Names a trace in maps. */
export function toName({ startLt, trace8 }: TracePlace): string {
  return `${startLt} ${trace8}`;
}

/** A page of some traces, in the order of a list. */
export function toPage(
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

/** How a version's rows are read: its columns, in the order of the value. */
const getReader = byTables((tables) => {
  const types: Readonly<Record<string, string>> = tables?.traces ?? TRACE_TABLES.traces;
  const columns = valueColumns(BY_PLACE.lookUp, tables?.traces);
  return { columns, read: detailsReader(columns.map((name) => types[name] as string)) };
});

/** Reads a row of the look-up index. */
export function readTrace({ context, databases }: Scope, value: Uint8Array): TraceRow {
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
