import { getLookUps } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { findByMessageHash } from '../transactions/by-message.ts';
import { findIndexed } from '../transactions/indexed.ts';
import type { TransactionRow } from '../transactions/model.ts';
import type { TraceFilter } from './filter.ts';
import { BY_PLACE, findTracePlace, findTraceRow, type TracePlace } from './indexed-ids.ts';
import { type IndexedTrace, openTraces, toPage } from './indexed-rows.ts';
import type { TraceRow } from './model.ts';

type Scope = ReadScope<'base' | 'traces'>;

/**
 * Traces that a filter names only by their ids, or by the hashes of transactions or of their messages, from the look-up index,
 * in the order of their ends. Null: a statement has to find them.
 */
export function findNamedTraces(scope: Scope, filter: TraceFilter, page: Page): readonly TraceRow[] | null {
  const names = getNames(filter);
  const lookUps = names && getLookUps(scope, scope.databases.traces, BY_PLACE.lookUp.name);
  const transactions = lookUps && findTransactions(scope, names);
  if (!transactions) return null;
  const toTrace = openTraces(scope);
  const traces = new Map<string, IndexedTrace>();
  for (const transaction of transactions) {
    const place = names.areIds
      ? { startLt: BigInt(transaction.lt), trace8: Buffer.from(transaction.hash, 'base64').readBigUInt64BE() }
      : findTracePlace(lookUps, transaction, scope.visible);
    if (place === undefined) return null;
    const row = place && findTraceRow(lookUps, place, scope.visible);
    if (row === undefined) return null;
    if (place && row) traces.set(toName(place), toTrace(row.value));
  }
  return toPage([...traces.values()], filter, page).map(({ read }) => read());
}

interface Names {
  /** The hashes are ids, not of transactions. */
  readonly areIds: boolean;
  readonly hashes: readonly string[];
  readonly messages: readonly string[];
}

/** Null if the filter has other conditions, or several lists. */
function getNames({ traceIds = [], txHashes = [], msgHashes = [], ...others }: TraceFilter): Names | null {
  const hasOthers = Object.values(others).some((value) => value !== undefined && !isEmptyList(value));
  const lists = [traceIds, txHashes, msgHashes].filter(({ length }) => length > 0);
  if (hasOthers || lists.length !== 1) return null;
  const areIds = traceIds.length > 0;
  return { areIds, hashes: distinct(areIds ? traceIds : txHashes), messages: distinct(msgHashes) };
}

const distinct = (hashes: readonly string[]) => [...new Set(hashes.map((hash) => hash.toUpperCase()))];

/** The transactions that names are about; null if a statement has to find them. */
function findTransactions(scope: Scope, { hashes, messages }: Names): Iterable<TransactionRow> | null {
  if (messages.length > 0) return findByMessageHash(scope, { hashes: messages });
  const { base } = scope.context.vector();
  if (base.state !== 'served' || base.database !== scope.databases.base) return null;
  // A trace is visible if a part of it is, also one that another transaction belongs to.
  const { found, unknown, hidden } = findIndexed({ ...scope, visible: base.visible }, hashes);
  return unknown.length > 0 || hidden.length > 0 ? null : found.values();
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Names a trace in maps. */
export function toName({ startLt, trace8 }: TracePlace): string {
  return `${startLt} ${trace8}`;
}
