import type { StoreDatabase } from '../../engine/projection/stored-input.ts';
import { ACCOUNT_KEY } from '../../facts/read-accounts.ts';
import type { Key } from '../../platform/clickhouse/key-set.ts';
import type { ActionFact, TransactionFact } from './action-fact.ts';
import {
  ACTION_COLUMNS,
  type ActionCells,
  type KeyList,
  readKeys,
  TRANSACTION_COLUMNS,
  type TransactionCells,
  toAction,
  toTransaction,
} from './read-facts.ts';
import {
  type Anchors,
  getFinished,
  type KeyCells,
  readAnchors,
  type StepRange,
  TRANSACTION_KEY,
  type TradeStores,
  toKey,
} from './read-trade-anchors.ts';
import type { TradeTrace } from './trade-trace.ts';

const HASH = ['FixedString(32)'] as const;

type TraceCells = [position: number, traceId: string, startLt: string, trace8: string];
type PartCells = [startLt: string, trace8: string, ...KeyCells];
type CodeCells = [account: string, lt: string, code: string];

/**
 * Reads the traces that these steps completed and that have a message by which trades are found (trade-anchors.ts). What is read of a
 * trace does not depend on the other steps of the range.
 */
export async function readTradeTraces(stores: TradeStores, range: StepRange): Promise<readonly TradeTrace[]> {
  const found = await readTraces(stores.traces, await readAnchors(stores, range), range);
  if (found.length === 0) return [];
  const parts = await readParts(stores.traces, found, range);
  const keys = parts.map(([, , ...key]) => toKey(key));
  const [transactions, transfers] = await Promise.all([
    readByAccount(stores.chain, keys),
    readTransfers(stores.actions, found, range),
  ]);
  const codes = await readCodes(stores.chain, transactions);
  const transfersByTrace = Map.groupBy(transfers, (transfer) => transfer.traceId);
  const byTrace = Map.groupBy(parts, ([startLt, trace8]) => `${startLt} ${trace8}`);
  return found.map(([position, traceId, startLt, trace8]) => ({
    position,
    traceId,
    transactions: (byTrace.get(`${startLt} ${trace8}`) ?? []).flatMap(
      ([, , workchain, account, lt]) => transactions.get(`${workchain}:${account} ${lt}`)?.fact ?? [],
    ),
    transfers: transfersByTrace.get(traceId) ?? [],
    getCode: ({ account, lt }) => codes.get(account)?.find((state) => state.lt >= lt)?.code ?? '',
  }));
}

/** The finished traces of anchors, in the order of the chain. */
async function readTraces(
  store: StoreDatabase,
  anchors: Anchors,
  range: StepRange,
): Promise<readonly TraceCells[]> {
  const { database } = store;
  const read = (list: KeyList, where: (set: string) => string) =>
    readKeys<TraceCells>(
      store,
      'lake/traces',
      list,
      (set) =>
        `SELECT mc_seqno, base64Encode(trace_id), toString(start_lt), toString(trace8) FROM ${database}.traces
         WHERE ${getFinished(range)} AND ${where(set)}`,
    );
  const places = (set: string) =>
    `SELECT start_lt, trace8 FROM ${database}.transaction_traces WHERE (account, workchain, lt) IN ${set}`;
  const rows = await Promise.all([
    read(
      { types: TRANSACTION_KEY, keys: anchors.transactions },
      (set) => `(start_lt, trace8) IN (${places(set)})`,
    ),
    read({ types: HASH, keys: anchors.traces }, (set) => `trace_id IN ${set}`),
  ]);
  return [...new Map(rows.flat().map((row) => [row[1], row])).values()].toSorted(
    ([step, id], [other, otherId]) => step - other || (id < otherId ? -1 : 1),
  );
}

/** Transactions of traces, by lt. */
async function readParts(
  store: StoreDatabase,
  traces: readonly TraceCells[],
  { last }: StepRange,
): Promise<readonly PartCells[]> {
  return readKeys<PartCells>(
    store,
    'lake/trace-transactions',
    {
      types: ['UInt64', 'UInt64'],
      keys: traces.map(([, , startLt, trace8]) => [BigInt(startLt), BigInt(trace8)]),
    },
    (set) =>
      `SELECT toString(start_lt), toString(trace8), workchain, hex(account), toString(lt) FROM ${store.database}.trace_transactions
       WHERE (start_lt, trace8) IN ${set} AND mc_seqno <= ${last} ORDER BY lt, account`,
  );
}

/** A transaction, and the step of its block. */
interface PlacedTransaction {
  readonly step: number;
  readonly fact: TransactionFact;
}

/** Transactions by account and lt. */
async function readByAccount(
  store: StoreDatabase,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, PlacedTransaction>> {
  const rows = await readKeys<[step: number, ...TransactionCells]>(
    store,
    'lake/trade-transactions',
    { types: TRANSACTION_KEY, keys },
    (set) =>
      `SELECT mc_seqno, ${TRANSACTION_COLUMNS} FROM ${store.database}.account_transactions WHERE (account, workchain, lt) IN ${set}`,
  );
  return new Map(
    rows.map(([step, ...cells]) => {
      const fact = toTransaction(cells);
      return [`${fact.account} ${fact.lt}`, { step, fact }];
    }),
  );
}

/** Codes of the accounts after the blocks of their transactions, oldest first. */
async function readCodes(
  store: StoreDatabase,
  transactions: ReadonlyMap<string, PlacedTransaction>,
): Promise<ReadonlyMap<string, readonly { readonly lt: bigint; readonly code: string }[]>> {
  const named = [...transactions.values()].map(({ step, fact: { account } }) => {
    const [workchain, id] = account.split(':');
    return [`${account} ${step}`, [Buffer.from(id!, 'hex'), Number(workchain), step]] as const;
  });
  const rows = await readKeys<CodeCells>(
    store,
    'lake/codes',
    { types: [...ACCOUNT_KEY, 'UInt32'], keys: [...new Map(named).values()] },
    (set) =>
      `SELECT concat(toString(workchain), ':', hex(account)), toString(lt), base64Encode(code_hash) FROM ${store.database}.account_states
       WHERE (account, workchain, mc_seqno) IN ${set}`,
  );
  const states = rows.map(([account, lt, code]) => ({ account, lt: BigInt(lt), code }));
  return Map.groupBy(
    states.toSorted((a, b) => (a.lt < b.lt ? -1 : 1)),
    ({ account }) => account,
  );
}

/** Successful transfers of jettons in traces. */
async function readTransfers(
  store: StoreDatabase,
  traces: readonly TraceCells[],
  { first, last }: StepRange,
): Promise<readonly ActionFact[]> {
  const rows = await readKeys<ActionCells>(
    store,
    'lake/transfers',
    { types: HASH, keys: traces.map(([, traceId]) => [Buffer.from(traceId, 'base64')]) },
    (set) =>
      `SELECT ${ACTION_COLUMNS} FROM ${store.database}.actions
       WHERE mc_seqno BETWEEN ${first} AND ${last} AND type = 'jetton_transfer' AND success AND details != '' AND trace_id IN ${set}
       ORDER BY start_lt, action_id`,
  );
  return rows.map(toAction);
}
