import type { NewRecord, StoreDatabase, StoredInput } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { NewestDatum } from '../../../platform/avro/generated.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';

type FinishedTrace = NewestDatum['finished-traces']['traces'][number];
type Encoding = Parameters<StoredInput['records']>[2];

/** A row of `traces` with a complete trace. */
type TraceCells = [
  step: number,
  startLt: string,
  trace8: string,
  id: string,
  external: string,
  endLt: string,
  endUtime: number,
];
/** A row of `trace_transactions`. */
type TransactionCells = [
  startLt: string,
  trace8: string,
  workchain: number,
  account: string,
  lt: string,
  depth: number,
];

const NO_HASH = '0'.repeat(64);
/** At the head a range has a step or a few. */
const FEW_STEPS = 10;
const QUERY = { ...RANGE_QUERY, maxRows: 100_000_000 } as const;

/**
 * The traces that each step of a range completed, as records (schemas/finished-traces), one for each position. The
 * result never changes, since a complete trace does not change.
 */
export async function finishedRecords(
  store: StoreDatabase,
  { first, last }: PositionRange,
  { codec, network, signal }: Encoding,
): Promise<ReadonlyMap<number, readonly NewRecord[]>> {
  const traces = await readFinished(store, { first, last }, signal);
  const records = new Map<number, readonly NewRecord[]>();
  for (let position = first; position <= last; position++) {
    const value = { network, mc_seqno: BigInt(position), traces: traces.get(position) ?? [] };
    const headers = { kind: 'traces', traces: String(value.traces.length) };
    records.set(position, [
      { key: String(position), headers, value: codec.encode('finished-traces', value) },
    ]);
  }
  return records;
}

async function readFinished(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, FinishedTrace[]>> {
  const finished = `FROM ${database}.traces WHERE mc_seqno BETWEEN ${first} AND ${last} AND state = 'complete'`;
  const limits = { ...QUERY, signal, inTurn: last - first < FEW_STEPS };
  const [traces, transactions] = await Promise.all([
    client.queryRows<TraceCells>(
      `SELECT mc_seqno, toString(start_lt), toString(trace8), hex(trace_id), hex(external_hash), toString(end_lt), end_utime
       ${finished} ORDER BY mc_seqno, start_lt, trace8`,
      { route: 'traces/finished', ...limits },
    ),
    client.queryRows<TransactionCells>(
      `SELECT toString(start_lt), toString(trace8), workchain, hex(account), toString(lt), depth
       FROM ${database}.trace_transactions
       WHERE (start_lt, trace8) IN (SELECT start_lt, trace8 ${finished}) AND mc_seqno <= ${last}
       ORDER BY lt, workchain, account`,
      { route: 'traces/finished-transactions', ...limits },
    ),
  ]);
  const byTrace = Map.groupBy(transactions.rows, ([startLt, trace8]) => `${startLt} ${trace8}`);
  const byStep = new Map<number, FinishedTrace[]>();
  for (const cells of traces.rows) {
    const own = byStep.get(cells[0]) ?? [];
    own.push(toTrace(cells, byTrace.get(`${cells[1]} ${cells[2]}`) ?? []));
    byStep.set(cells[0], own);
  }
  return byStep;
}

function toTrace(
  [, startLt, , id, external, endLt, endUtime]: TraceCells,
  transactions: readonly TransactionCells[],
): FinishedTrace {
  return {
    trace_id: Buffer.from(id, 'hex'),
    external_hash: external === NO_HASH ? null : Buffer.from(external, 'hex'),
    start_lt: BigInt(startLt),
    end_lt: BigInt(endLt),
    end_utime: BigInt(endUtime),
    transactions: transactions.map(([, , workchain, account, lt, depth]) => ({
      workchain,
      account: Buffer.from(account, 'hex'),
      lt: BigInt(lt),
      depth: BigInt(depth),
    })),
  };
}
