import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import { type ReadScope, within } from '../../query/scope.ts';
import { and, identifier, sql } from '../../query/sql.ts';
import { TRANSACTION_SELECT, type TransactionRow } from '../transactions/model.ts';
import { BY_LT } from '../transactions/order.ts';
import { readTransactionStatement } from '../transactions/rows.ts';
import { findTraceTransactions, type TraceSpan } from './indexed-transactions.ts';
import { isOneOfTraces } from './plan.ts';

type Key = TraceSpan;

/**
 * The transactions of some traces, by lt, then account. No statement for some hundred that the look-up index has, else one; for
 * several traces a second one in parallel.
 */
export async function readTraceTransactions(
  scope: ReadScope<'base' | 'traces'>,
  traces: readonly Key[],
): Promise<ReadonlyMap<Key, readonly TransactionRow[]>> {
  const [only] = traces;
  if (!only) return new Map();
  const indexed = findTraceTransactions(scope, traces);
  if (indexed) return indexed;
  const { databases, visible } = scope;
  const keys = traces.map(({ start_lt: startLt, trace8 }) => ({ startLt, trace8 }));
  const own = and(within(visible), isOneOfTraces(keys));
  const from = sql`FROM ${identifier(databases.traces, 'trace_transactions')} WHERE ${own}`;
  const isIn = sql`(lt, account, workchain) IN (SELECT lt, account, workchain ${from})`;
  const read = readTransactionStatement(
    scope,
    sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(databases.base, PACKED_TABLE)} WHERE ${within(visible)} AND ${isIn} ORDER BY ${BY_LT.by(false)}`,
  );
  if (traces.length === 1) return new Map([[only, await read]]);
  const [places, rows] = await Promise.all([
    scope.query(sql`SELECT start_lt, trace8, workchain, hex(account), lt ${from}`),
    read,
  ]);
  const byKey = new Map(traces.map((trace) => [`${trace.start_lt} ${trace.trace8}`, trace]));
  const traceByPlace = new Map(
    places.map(([startLt, trace8, ...key]) => [key.join(' '), byKey.get(`${startLt} ${trace8}`)]),
  );
  return Map.groupBy(
    rows.filter((row) => traceByPlace.get(toPlace(row))),
    (row) => traceByPlace.get(toPlace(row)) as Key,
  );
}

function toPlace({ workchain, account, lt }: TransactionRow): string {
  return `${workchain} ${account} ${lt}`;
}
