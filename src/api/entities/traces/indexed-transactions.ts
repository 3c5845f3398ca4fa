import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { TRACE_TRANSACTION_TARGETS } from '../../../tables/traces.ts';
import { getLookUps, keysWith, toBuffer } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { findAtPlaces } from '../transactions/indexed.ts';
import type { TransactionRow } from '../transactions/model.ts';
import { compareByLt } from '../transactions/order.ts';
import type { TraceRow } from './model.ts';

/** What is asked of a trace: its name, and where its visible transactions are. */
export type TraceSpan = Pick<
  TraceRow,
  'start_lt' | 'trace8' | 'mc_seqno_start' | 'mc_seqno_end' | 'transactions'
>;

const OF_TRACE = getLookUp(
  TRACE_TRANSACTION_TARGETS.find(({ name }) => name === 'trace_transactions')!,
  'transactions_of_trace',
);
const toKey = keyBuilder(OF_TRACE);
/** Place of the transaction in a key: after lt and number of the trace. */
const PLACE = 16;
/** A statement takes less time for more transactions. */
const MAX_TRANSACTIONS = 256;

/**
 * The visible transactions of some traces from the look-up index, by lt, then account. Null: they are many, or statements
 * have to find them.
 */
export function findTraceTransactions<Trace extends TraceSpan>(
  scope: ReadScope<'base' | 'traces'>,
  traces: readonly Trace[],
): ReadonlyMap<Trace, readonly TransactionRow[]> | null {
  const count = traces.reduce((sum, { transactions }) => sum + Number(transactions), 0);
  if (count > MAX_TRANSACTIONS) return null;
  const found = new Map<Trace, readonly TransactionRow[]>();
  for (const trace of traces) {
    const rows = findOfTrace(scope, trace);
    if (!rows) return null;
    found.set(trace, rows);
  }
  return found;
}

function findOfTrace(
  scope: ReadScope<'base' | 'traces'>,
  trace: TraceSpan,
): readonly TransactionRow[] | null {
  const { visible, databases } = scope;
  const lookUps = getLookUps(scope, databases.traces, OF_TRACE.lookUp.name);
  if (!lookUps) return null;
  const all = keysWith(toKey(BigInt(trace.start_lt), BigInt(trace.trace8)));
  const places = lookUps
    .range(OF_TRACE.lookUp.name, all, MAX_TRANSACTIONS + 1)
    .filter(({ step }) => isVisible(step, visible))
    .map(({ key }) => readPlace(toBuffer(key)));
  const first = Math.max(Number(trace.mc_seqno_start), visible.first);
  const last = Math.min(Number(trace.mc_seqno_end), visible.last);
  // Asked afterwards: a step that left the index meanwhile would hide its transactions.
  if (places.length > MAX_TRANSACTIONS || !lookUps.covers({ first, last })) return null;
  return findAtPlaces(scope, places)?.toSorted((a, b) => compareByLt(a, b)) ?? null;
}

function readPlace(key: Buffer) {
  return {
    lt: key.readBigUInt64BE(PLACE),
    account: key.subarray(PLACE + 8, PLACE + 40),
    workchain: key.readInt32BE(PLACE + 40),
  };
}
