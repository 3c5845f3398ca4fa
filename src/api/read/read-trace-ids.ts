import type { VisibleRange } from '../version-vector.ts';
import { accountOfRaw } from './account-id.ts';
import { accountParams, u64Array } from './key-lists.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import { boundToVisible } from './read-scope.ts';
import { MOST_SHARED_KEYS, SharedLookUp } from './shared-look-up.ts';
import { Conditions, type Statement } from './statement.ts';
import { externalHash } from './trace-row.ts';
import type { TransactionRow } from './transaction-row.ts';
import type { TransferRow } from './transfer-row.ts';

/** The trace of a transaction, as answers show it. Hashes base64. */
export interface TraceId {
  readonly trace_id: string;
  /** The external message that began the trace; absent where none did. */
  readonly trace_external_hash?: string;
}

/** Traces by the hash (base64) of a transaction. */
export type TraceIds = ReadonlyMap<string, TraceId>;

export const NO_TRACE_IDS: TraceIds = new Map();

type Place = Pick<TransactionRow, 'lt' | 'account' | 'workchain'>;
type Keyed = Place & Pick<TransactionRow, 'hash' | 'mc_seqno'>;

/** The traces of a page of transactions, as far as the projection `traces` can be read and has them. One statement at most. */
export async function readTraceIds(scope: ReadScope, rows: readonly Keyed[]): Promise<TraceIds> {
  const { traces } = scope.added;
  const known = traces ? rows.filter(({ mc_seqno: step }) => step <= traces.visible.last) : [];
  if (!traces || known.length === 0) return NO_TRACE_IDS;
  const byKey = await readByKey(scope, known);
  const ids = new Map<string, TraceId>();
  for (const row of known) {
    const trace = byKey.get(keyOf(row));
    if (trace) ids.set(row.hash, trace);
  }
  return ids;
}

/** Traces by `keyOf` of a transaction. */
type ByKey = ReadonlyMap<string, TraceId>;

const BY_KEY = new SharedLookUp<ByKey>((scope, keys) => readOf(scope, keys.map(placeOf)));

function readByKey(scope: ReadScope, rows: readonly Place[]): Promise<ByKey> {
  return rows.length > MOST_SHARED_KEYS ? readOf(scope, rows) : BY_KEY.find(scope, rows.map(keyOf));
}

async function readOf(scope: ReadScope, rows: readonly Place[]): Promise<ByKey> {
  const { traces } = scope.added;
  if (!traces) return new Map();
  return new Map((await scope.query(planTraceIds(traces.database, rows, traces.visible))).map(traceIdOf));
}

/** The traces of a page of transfers, as `readTraceIds`. */
export function readTransferTraces(scope: ReadScope, rows: readonly TransferRow[]): Promise<TraceIds> {
  const keyed = rows.map(({ address, hash, lt, mcSeqno }) => {
    const { workchain, hash: account } = accountOfRaw(address);
    return { workchain, account, hash, lt, mc_seqno: mcSeqno };
  });
  return readTraceIds(scope, keyed);
}

/** Rows of (account, workchain, lt, trace_id, external_hash): 1,000 transactions at most. */
export function planTraceIds(database: string, rows: readonly Place[], visible: VisibleRange): Statement {
  const conditions = boundToVisible(new Conditions(), visible);
  conditions.bind({
    ...accountParams(
      'accounts',
      rows.map(({ account: hash, workchain }) => ({ hash, workchain })),
    ),
    lts: u64Array(rows.map(({ lt }) => BigInt(lt))),
  });
  const keys =
    '(SELECT toFixedString(unhex(k.1), 32), k.2, k.3 FROM (SELECT arrayJoin(arrayZip({accounts:Array(String)},' +
    ' {accounts_workchains:Array(Int32)}, {lts:Array(UInt64)})) AS k))';
  const own =
    `SELECT account, workchain, lt, start_lt, trace8 FROM ${database}.transaction_traces` +
    ` WHERE (account, workchain, lt) IN ${keys} AND ${conditions.text}`;
  // What these columns hold is the same in every row of a trace.
  const traces =
    `SELECT start_lt, trace8, any(trace_id) AS id, any(external_hash) AS external FROM ${database}.traces` +
    ` WHERE (start_lt, trace8) IN (SELECT start_lt, trace8 FROM (${own})) AND ${conditions.text} GROUP BY start_lt, trace8`;
  return conditions.statement(
    `SELECT hex(account), workchain, lt, base64Encode(id), base64Encode(external)` +
      ` FROM (${own}) AS own INNER JOIN (${traces}) AS named USING (start_lt, trace8)`,
  );
}

function keyOf({ account, workchain, lt }: Place): string {
  return `${workchain}:${account} ${lt}`;
}

function placeOf(key: string): Place {
  const [raw = '', lt = ''] = key.split(' ');
  const { workchain, hash: account } = accountOfRaw(raw);
  return { workchain, account, lt };
}

function traceIdOf([account, workchain, lt, id, external]: RawRow): [string, TraceId] {
  const key = keyOf({ account, workchain, lt } as Place);
  const began = externalHash({ external_hash: external as string });
  return [key, { trace_id: id as string, ...(began === null ? {} : { trace_external_hash: began }) }];
}
