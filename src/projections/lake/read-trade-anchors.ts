import type { StoreDatabase } from '../../engine/projection/stored-input.ts';
import { ACCOUNT_KEY } from '../../facts/read-accounts.ts';
import { bytesLiteral, type Key } from '../../platform/clickhouse/key-set.ts';
import { LIMITS } from './read-facts.ts';
import { MESSAGE_OPS, PAYLOAD_OPS, SENDERS } from './trade-anchors.ts';

/** Where the facts of trades are read from. */
export interface TradeStores {
  readonly chain: StoreDatabase;
  readonly traces: StoreDatabase;
  readonly actions: StoreDatabase;
}

export interface StepRange {
  readonly first: number;
  readonly last: number;
}

/** A transaction: its workchain, account and lt. */
export type KeyCells = [workchain: number, account: string, lt: string];

/** Types of `toKey`. */
export const TRANSACTION_KEY = [...ACCOUNT_KEY, 'UInt64'] as const;

/** The key (account, workchain, lt). */
export const toKey = ([workchain, account, lt]: KeyCells): Key => [
  Buffer.from(account, 'hex'),
  workchain,
  BigInt(lt),
];

/** Condition: a row of `traces` is of a trace that one of the steps completed. */
export const getFinished = ({ first, last }: StepRange) =>
  `mc_seqno BETWEEN ${first} AND ${last} AND state = 'complete'`;

/** What leads to a trace: keys of transactions, and ids of traces. */
export interface Anchors {
  readonly transactions: readonly Key[];
  readonly traces: readonly Key[];
}

/** Reads what leads to the traces of the steps that may have trades (trade-anchors.ts). */
export async function readAnchors(stores: TradeStores, range: StepRange): Promise<Anchors> {
  const { traces } = stores;
  const { rows } = await traces.client.queryRows<[start: string, end: string]>(
    `SELECT toString(min(start_lt)), toString(max(end_lt)) FROM ${traces.database}.traces WHERE ${getFinished(range)}`,
    { route: 'lake/spans', ...LIMITS, inTurn: true },
  );
  const [[start, end] = ['0', '0']] = rows;
  if (end === '0') return { transactions: [], traces: [] };
  const [transactions, paid] = await Promise.all([
    readSent(stores.chain, `created_lt BETWEEN ${start} AND ${end}`),
    readPaid(stores.actions, range),
  ]);
  return { transactions, traces: paid };
}

/** Transactions that sent a message with such an opcode, or from such an account. */
async function readSent({ client, database }: StoreDatabase, within: string): Promise<readonly Key[]> {
  const senders = SENDERS.map(
    (sender) => `(${bytesLiteral(Buffer.from(sender.slice(2), 'hex'))}, 0, 'std')`,
  ).join(', ');
  const { rows } = await client.queryRows<KeyCells>(
    `SELECT DISTINCT tx_workchain, hex(tx_account), toString(tx_lt) FROM ${database}.messages
     WHERE ${within} AND side = 'out' AND ((created_lt, hash8) IN (
         SELECT created_lt, hash8 FROM ${database}.messages_by_opcode WHERE opcode IN (${MESSAGE_OPS.join(', ')}) AND ${within})
       OR (created_lt, hash8) IN (
         SELECT created_lt, hash8 FROM ${database}.messages_by_source WHERE (source, source_workchain, source_kind) IN (${senders}) AND ${within}))`,
    { route: 'lake/anchors', ...LIMITS, inTurn: true },
  );
  return rows.map(toKey);
}

/** Traces with a transfer of jettons whose payload has such an opcode. */
async function readPaid(
  { client, database }: StoreDatabase,
  { first, last }: StepRange,
): Promise<readonly Key[]> {
  const payload = `tryBase64Decode(JSONExtractString(details, 'forward_payload'))`;
  const ops = PAYLOAD_OPS.map(
    (op) => `position(${payload}, unhex('${op.toString(16).padStart(8, '0')}')) > 0`,
  ).join(' OR ');
  const { rows } = await client.queryRows<[traceId: string]>(
    `SELECT DISTINCT base64Encode(trace_id) FROM ${database}.actions
     WHERE mc_seqno BETWEEN ${first} AND ${last} AND type = 'jetton_transfer' AND success AND (${ops})`,
    { route: 'lake/anchors', ...LIMITS, inTurn: true },
  );
  return rows.map(([traceId]) => [Buffer.from(traceId, 'base64')]);
}
