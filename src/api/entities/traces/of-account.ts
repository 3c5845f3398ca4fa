import type { AccountId } from '../../query/account-id.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { TraceFilter } from './filter.ts';
import { type TraceRow, traceRow } from './model.ts';
import { planAccountTraces, planLastInTraces, planTracesOfKeys, type TraceKey } from './plan.ts';

type TraceScope = ReadScope<'base' | 'traces'>;
type AccountFilter = TraceFilter & { readonly account: AccountId };

/** A trace and the lt of the account's last transaction in it. */
export interface TraceOfAccount {
  readonly row: TraceRow;
  readonly lt: string;
}

/** Transactions of the account beyond the traces that are wanted: a trace may hold several. */
const OVERFETCH = 64;
const MAX_READ = 1_500;

/**
 * A page of the traces of an account as of the visible range, by its last transaction in each, after an lt. Three
 * statements; more if the bounds of the list, or traces with many of its transactions, leave too few.
 */
export async function scanTracesOfAccount(
  scope: TraceScope,
  filter: AccountFilter,
  { limit, descending }: Page,
  after: { readonly lt: string } | null,
): Promise<readonly TraceOfAccount[]> {
  const page = { limit: Math.min(limit + OVERFETCH, MAX_READ), offset: 0, descending };
  const list = { databases: scope.databases, filter, page, visible: scope.visible };
  const found: TraceOfAccount[] = [];
  let from = after?.lt ?? null;
  for (let isLast = false; !isLast && found.length < limit; ) {
    const read = (await scope.query(planAccountTraces(list, filter.account, from))).map(accountTrace);
    const lasts = await readLasts(scope, filter.account, read);
    const own = read.filter((one) => lasts.get(toName(one)) === one.lt);
    const rows = await readRows(scope, filter, own);
    for (const one of own) {
      const row = rows.get(toName(one));
      if (row) found.push({ row, lt: one.lt });
    }
    isLast = read.length < page.limit;
    from = read.at(-1)?.lt ?? null;
  }
  return found.slice(0, limit);
}

interface AccountTrace extends TraceKey {
  readonly lt: string;
}

function accountTrace([lt, startLt, trace8]: readonly unknown[]): AccountTrace {
  return { lt: String(lt), startLt: String(startLt), trace8: String(trace8) };
}

function toName({ startLt, trace8 }: TraceKey): string {
  return `${startLt} ${trace8}`;
}

/** By key: the lt of the account's last transaction in the trace. */
async function readLasts(
  { databases, visible, query }: TraceScope,
  account: AccountId,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await query(planLastInTraces({ databases, visible }, account, keys));
  return new Map(rows.map(([startLt, trace8, lt]) => [`${startLt} ${trace8}`, String(lt)]));
}

/** By key: those that the bounds leave. */
async function readRows(
  { databases, visible, query }: TraceScope,
  filter: TraceFilter,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, TraceRow>> {
  if (keys.length === 0) return new Map();
  const page = { limit: keys.length, offset: 0, descending: true };
  const rows = await query(planTracesOfKeys({ databases, filter, page, visible }, keys));
  return new Map(rows.map(traceRow).map((row) => [`${row.start_lt} ${row.trace8}`, row]));
}
