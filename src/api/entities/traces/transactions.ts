import { boundToVisible, type ReadScope } from '../../query/scope.ts';
import { Conditions } from '../../query/statement.ts';
import { PACKED_TABLE, TRANSACTION_SELECT, type TransactionRow } from '../transactions/model.ts';
import { TIES } from '../transactions/order.ts';
import { readTransactionStatement } from '../transactions/rows.ts';
import type { TraceRow } from './model.ts';

type Key = Pick<TraceRow, 'start_lt' | 'trace8'>;

/** The transactions of some traces, by lt, then account. One statement, for several traces a second one in parallel. */
export async function readTraceTransactions(
  scope: ReadScope<'base' | 'traces'>,
  traces: readonly Key[],
): Promise<ReadonlyMap<Key, readonly TransactionRow[]>> {
  const [only] = traces;
  if (!only) return new Map();
  const { databases, visible } = scope;
  const own = boundToVisible(new Conditions(), visible);
  own.add(
    `(start_lt, trace8) IN (${traces.map(({ start_lt: lt, trace8 }) => `(${BigInt(lt)},${BigInt(trace8)})`)})`,
  );
  const from = `FROM ${databases.traces}.trace_transactions WHERE ${own.text}`;
  const rest = boundToVisible(new Conditions(), visible);
  rest.add(`(lt, account, workchain) IN (SELECT lt, account, workchain ${from})`);
  const read = readTransactionStatement(
    scope,
    rest.statement(
      `SELECT ${TRANSACTION_SELECT} FROM ${databases.base}.${PACKED_TABLE} WHERE ${rest.text} ORDER BY lt${TIES}`,
    ),
  );
  if (traces.length === 1) return new Map([[only, await read]]);
  const [places, rows] = await Promise.all([
    scope.query(own.statement(`SELECT start_lt, trace8, workchain, hex(account), lt ${from}`)),
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
