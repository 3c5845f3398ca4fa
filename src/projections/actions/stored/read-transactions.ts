import type { FactDatabase } from '../../../facts/fact-stores.ts';
import { areFew } from '../../../facts/few-keys.ts';
import type { TraceTransactionV1 } from '../../../platform/avro/generated.ts';
import { type Key, keySet } from '../../../platform/clickhouse/key-set.ts';
import { formatRaw } from '../../../ton/address/address.ts';
import { unpackMessages } from '../../../ton/columns/message-pack.ts';
import {
  PLAIN_COLUMNS,
  type PlainColumns,
  plainTransaction,
} from '../../../ton/columns/plain-transaction.ts';
import type { TraceTransaction } from '../model/trace.ts';

export type TransactionKey = Pick<TraceTransactionV1, 'workchain' | 'account' | 'lt'>;

/** Keys asked for by one statement: its text stays below the server's `max_query_size`. */
const KEYS = 4_000;

type Cells = [hash: string, workchain: number, account: string, lt: string, ...columns: unknown[]];

/** Name of a transaction in `readTransactions`. */
export function toName({ workchain, account, lt }: TransactionKey): string {
  return `${formatRaw(workchain, account)} ${lt}`;
}

/** Transactions that the index of the chain has up to a step, as the classifier takes them, by `toName`. */
export async function readTransactions(
  stores: FactDatabase,
  keys: readonly TransactionKey[],
  upTo: number,
): Promise<ReadonlyMap<string, TraceTransaction>> {
  const found = new Map<string, TraceTransaction>();
  for (let at = 0; at < keys.length; at += KEYS) {
    const set = keys.slice(at, at + KEYS).map(({ lt, account, workchain }) => [lt, account, workchain]);
    const rows = await read<Cells>(
      stores,
      set,
      `SELECT base64Encode(hash), workchain, hex(account), toString(lt), ${PLAIN_COLUMNS.join(', ')}
       FROM ${stores.database}.transactions WHERE (lt, account, workchain) IN ${keySet(['UInt64', 'FixedString(32)', 'Int32'], set)} AND mc_seqno <= ${upTo}`,
    );
    const messagesOf = await messagesByHash(stores, rows);
    for (const cells of rows) {
      const messages = messagesOf.get(cells[0]);
      if (messages === undefined) continue;
      const transaction = toTransaction(cells, messages);
      found.set(`${transaction.account} ${transaction.lt}`, transaction);
    }
  }
  return found;
}

/** The packed messages of transactions, base64, by the hash of the transaction. */
async function messagesByHash(
  stores: FactDatabase,
  rows: readonly Cells[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const set = rows.map(([hash, , , lt]) => [BigInt(lt), Buffer.from(hash, 'base64').readBigUInt64BE()]);
  return new Map(
    await read<[hash: string, messages: string]>(
      stores,
      set,
      `SELECT base64Encode(hash), base64Encode(messages)
       FROM ${stores.database}.transaction_payloads WHERE (lt, hash8) IN ${keySet(['UInt64', 'UInt64'], set)}`,
    ),
  );
}

async function read<R extends readonly unknown[]>(
  { client }: FactDatabase,
  set: readonly Key[],
  sql: string,
) {
  const options = { timeoutMs: 600_000, maxMemoryBytes: 0, maxResultBytes: 1024 ** 3, inTurn: areFew(set) };
  const { rows } = await client.queryRows<R>(sql, { route: 'actions/transactions', ...options });
  return rows;
}

function toTransaction([hash, workchain, account, lt, ...plain]: Cells, messages: string): TraceTransaction {
  const columns = Object.fromEntries(PLAIN_COLUMNS.map((name, i) => [name, plain[i]]));
  return plainTransaction(columns as unknown as PlainColumns, {
    hash,
    workchain,
    account: Buffer.from(account, 'hex'),
    lt: BigInt(lt),
    messages: unpackMessages(Buffer.from(messages, 'base64')),
  });
}
