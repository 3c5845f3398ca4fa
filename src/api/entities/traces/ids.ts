import { accountOfRaw } from '../../query/account-id.ts';
import { accountKey } from '../../query/keys.ts';
import { isVisible, type RawRow, type ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, join, type Sql, sql } from '../../query/sql.ts';
import type { TransactionRow } from '../transactions/model.ts';
import type { TransferRow } from '../transfers/model.ts';
import { findTraceId, type TransactionPlace } from './indexed-ids.ts';
import { buildTraceId, type TraceId } from './model.ts';
import { isOneOfTraces, type TraceKey } from './plan.ts';

/** Traces by the hash (base64) of a transaction. */
export type TraceIds = ReadonlyMap<string, TraceId>;

export const NO_TRACE_IDS: TraceIds = new Map();

type Keyed = TransactionPlace & Pick<TransactionRow, 'hash' | 'mc_seqno'>;

/**
 * The traces of a page of transactions, if the projection `traces` is available and has them. Two statements at most
 * for those that the look-up index does not know.
 */
export async function readTraceIds(scope: ReadScope, rows: readonly Keyed[]): Promise<TraceIds> {
  const { traces } = scope.added;
  const known = traces ? rows.filter(({ mc_seqno: step }) => step <= traces.visible.last) : [];
  if (!traces || known.length === 0) return NO_TRACE_IDS;
  const ids = new Map<string, TraceId>();
  const unknown: Keyed[] = [];
  for (const row of known) {
    const trace = findTraceId(scope, row);
    if (trace) ids.set(row.hash, trace);
    else if (trace === undefined) unknown.push(row);
  }
  if (unknown.length === 0) return ids;
  const byKey = await readByKey(scope, unknown);
  for (const row of unknown) {
    const trace = byKey.get(toKey(row));
    if (trace) ids.set(row.hash, trace);
  }
  return ids;
}

/** Traces by `toKey` of a transaction. */
type ByKey = ReadonlyMap<string, TraceId>;

const BY_KEY = new SharedLookUp<ByKey>((scope, keys) => readIds(scope, keys.map(parseKey)));

function readByKey(scope: ReadScope, rows: readonly TransactionPlace[]): Promise<ByKey> {
  return BY_KEY.find(scope, rows.map(toKey));
}

/** The places of their traces, then what names these: two simple statements read what one would read twice, and are planned sooner. */
async function readIds(scope: ReadScope, rows: readonly TransactionPlace[]): Promise<ByKey> {
  const { traces } = scope.added;
  if (!traces) return new Map();
  const { database, visible } = traces;
  const placed = (await scope.query(planTracePlaces(database, rows))).map(placeOfTrace);
  const seen = placed.filter(({ step }) => isVisible(step, visible));
  if (seen.length === 0) return new Map();
  const distinct = new Map(seen.map(({ trace }) => [toName(trace), trace]));
  const ids = new Map((await scope.query(planTraceNames(database, [...distinct.values()]))).map(toTraceId));
  return new Map(
    seen.flatMap(({ key, trace }) => {
      const id = ids.get(toName(trace));
      return id ? [[key, id] as const] : [];
    }),
  );
}

/** The traces of a page of transfers, as `readTraceIds`. */
export function readTransferTraces(scope: ReadScope, rows: readonly TransferRow[]): Promise<TraceIds> {
  const keyed = rows.map(({ address, hash, lt, mcSeqno }) => {
    const { workchain, hash: account } = accountOfRaw(address);
    return { workchain, account, hash, lt, mc_seqno: mcSeqno };
  });
  return readTraceIds(scope, keyed);
}

/** Rows of (account, workchain, lt, step, start_lt, trace8): 1,000 transactions at most. */
export function planTracePlaces(database: string, rows: readonly TransactionPlace[]): Sql {
  const keys = rows.map(({ account: hash, workchain, lt }) => accountKey({ hash, workchain }, BigInt(lt)));
  return sql`SELECT hex(account), workchain, lt, mc_seqno, start_lt, trace8 FROM ${identifier(database, 'transaction_traces')} PREWHERE (account, workchain, lt) IN (${join(keys, ',')})`;
}

/** Rows of (start_lt, trace8, trace_id, external_hash), which are the same in every row of a trace. */
export function planTraceNames(database: string, traces: readonly TraceKey[]): Sql {
  return sql`SELECT start_lt, trace8, base64Encode(trace_id), base64Encode(external_hash) FROM ${identifier(database, 'traces')} PREWHERE ${isOneOfTraces(traces)}`;
}

function toKey({ account, workchain, lt }: TransactionPlace): string {
  return `${workchain}:${account} ${lt}`;
}

function parseKey(key: string): TransactionPlace {
  const [raw = '', lt = ''] = key.split(' ');
  const { workchain, hash: account } = accountOfRaw(raw);
  return { workchain, account, lt };
}

function placeOfTrace([account, workchain, lt, step, startLt, trace8]: RawRow) {
  const key = toKey({ account, workchain, lt } as TransactionPlace);
  return { key, step: Number(step), trace: { startLt: String(startLt), trace8: String(trace8) } };
}

function toTraceId([startLt, trace8, id, external]: RawRow): [string, TraceId] {
  return [`${startLt} ${trace8}`, buildTraceId(id as string, external as string)];
}

function toName({ startLt, trace8 }: TraceKey): string {
  return `${startLt} ${trace8}`;
}
