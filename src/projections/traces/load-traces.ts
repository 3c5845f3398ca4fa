import type { RowStart } from '../../engine/projection/row-maker.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { TRACE_STATES, type Trace, type TraceState, toKey } from './trace.ts';

/** A key of the tables: a logical time and the first 8 bytes of a hash. */
export interface TableKey {
  readonly lt: bigint;
  readonly hash8: bigint;
}

/** A message in flight as the table has it. */
export interface StoredMessage {
  readonly createdLt: bigint;
  readonly hash8: bigint;
  /** Its trace. */
  readonly trace: TableKey;
  readonly depth: number;
}

/** Keys asked for by one statement: its text stays below the server's `max_query_size`. */
const KEYS = 2_000;

const NO_LIMIT = 1_000_000;

/** The messages of these keys that were in flight when they were sent, by the step `upTo`. */
export async function loadMessages(
  start: RowStart,
  keys: readonly TableKey[],
  upTo: number,
): Promise<StoredMessage[]> {
  const rows = await readByKeys<[string, string, string, string, number]>(
    start,
    keys,
    (database, set) =>
      `SELECT toString(created_lt), toString(hash8), toString(start_lt), toString(trace8), depth
       FROM ${database}.messages_in_flight WHERE (created_lt, hash8) IN ${set} AND mc_seqno <= ${upTo}`,
  );
  return rows.map(([createdLt, hash8, startLt, trace8, depth]) => ({
    createdLt: BigInt(createdLt),
    hash8: BigInt(hash8),
    trace: { lt: BigInt(startLt), hash8: BigInt(trace8) },
    depth,
  }));
}

/** A trace that waits for messages, and the step that changed it last. */
export interface OpenTrace {
  readonly key: TableKey;
  readonly changedAt: number;
}

/** Traces that were open after the step `upTo` and changed last after `after`, in the order of their changes. */
export async function loadOpen(
  { client, database }: RowStart,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<OpenTrace[]> {
  const { rows } = await client.queryRows<[string, string, number]>(
    `SELECT toString(start_lt), toString(trace8), max(mc_seqno) AS changed FROM ${database}.traces
     WHERE mc_seqno > ${Math.max(after, -1)} AND mc_seqno <= ${upTo}
     GROUP BY start_lt, trace8 HAVING argMax(state, mc_seqno) = 'pending' ORDER BY changed`,
    { route: 'traces/open', ...RANGE_QUERY, maxRows: 100_000_000 },
  );
  return rows.map(([lt, hash8, changedAt]) => ({
    key: { lt: BigInt(lt), hash8: BigInt(hash8) },
    changedAt,
  }));
}

type TraceCells = [
  string,
  string,
  string,
  string,
  TraceState,
  number,
  number,
  number,
  ...(number | string)[],
];

/** The traces of these keys after the step `upTo`. */
export async function loadTraces(start: RowStart, keys: readonly TableKey[], upTo: number): Promise<Trace[]> {
  const rows = await readByKeys<TraceCells>(
    start,
    keys,
    (database, set) =>
      `SELECT toString(start_lt), hex(trace_id), hex(external_hash), hex(external_hash_norm), state,
         mc_seqno, mc_seqno_start, start_utime, mc_seqno_end, toString(end_lt), end_utime, messages, transactions,
         pending_messages
       FROM ${database}.traces WHERE (start_lt, trace8) IN ${set} AND mc_seqno <= ${upTo}
       ORDER BY start_lt, trace8, mc_seqno DESC LIMIT 1 BY start_lt, trace8`,
  );
  return rows.map(toTrace);
}

function toTrace([
  startLt,
  id,
  external,
  norm,
  state,
  changedAt,
  startPosition,
  startUtime,
  ...rest
]: TraceCells): Trace {
  const [endPosition, endLt, endUtime, messages, transactions, pending] = rest as [
    number,
    string,
    number,
    number,
    number,
    number,
  ];
  if (!TRACE_STATES.includes(state)) throw new TypeError(`trace ${id}: ${state} is no state of a trace`);
  const hash = Buffer.from(id, 'hex');
  const [lt, trace8] = [BigInt(startLt), hash.readBigUInt64BE(0)];
  return {
    startLt: lt,
    trace8,
    key: toKey(lt, trace8),
    id: hash,
    externalHash: Buffer.from(external, 'hex'),
    externalHashNorm: Buffer.from(norm, 'hex'),
    startPosition,
    startUtime,
    endPosition,
    endLt: BigInt(endLt),
    endUtime,
    messages,
    transactions,
    pending,
    state,
    changedAt,
  };
}

async function readByKeys<R extends readonly unknown[]>(
  { client, database }: RowStart,
  keys: readonly TableKey[],
  statement: (database: string, set: string) => string,
): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < keys.length; at += KEYS) {
    const set = keys.slice(at, at + KEYS).map(({ lt, hash8 }) => `(${lt},${hash8})`);
    const { rows } = await client.queryRows<R>(statement(database, `(${set.join(',')})`), {
      route: 'traces/state',
      maxRows: NO_LIMIT,
    });
    found.push(...rows);
  }
  return found;
}
