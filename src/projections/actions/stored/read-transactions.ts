import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { TraceTransactionV1 } from '../../../platform/avro/generated.ts';
import { formatRaw } from '../../../ton/address/address.ts';
import { unpackMessages } from '../../../ton/columns/message-pack.ts';
import {
  PLAIN_COLUMNS,
  type PlainColumns,
  plainTransaction,
} from '../../../ton/columns/plain-transaction.ts';
import type { TraceTransaction } from '../model/trace.ts';
import { areFew } from './few-keys.ts';
import { hasTable } from './has-table.ts';

export type TransactionKey = Pick<TraceTransactionV1, 'workchain' | 'account' | 'lt'>;

/** Keys asked for by one statement: its text stays below the server's `max_query_size`. */
const KEYS = 1_000;

type Cells = [
  hash: string,
  workchain: number,
  account: string,
  lt: string,
  messages: string,
  ...columns: unknown[],
];

/** Name of a transaction in `readTransactions`. */
export function toName({ workchain, account, lt }: TransactionKey): string {
  return `${formatRaw(workchain, account)} ${lt}`;
}

/** Transactions that the index of the chain has up to a step, as the classifier takes them, by `toName`. */
export async function readTransactions(
  stores: StoreDatabase,
  keys: readonly TransactionKey[],
  upTo: number,
): Promise<ReadonlyMap<string, TraceTransaction>> {
  const isApart = await hasTable(stores, PAYLOADS);
  const found = new Map<string, TraceTransaction>();
  for (let at = 0; at < keys.length; at += KEYS) {
    const set = keys
      .slice(at, at + KEYS)
      .map(({ lt, account, workchain }) => `(${lt},unhex('${account.toHex()}'),${workchain})`);
    const rows = await read<Cells>(
      stores,
      set,
      `SELECT base64Encode(hash), workchain, hex(account), toString(lt),
         ${isApart ? "''" : 'base64Encode(messages)'}, ${PLAIN_COLUMNS.join(', ')}
       FROM ${stores.database}.transactions WHERE (lt, account, workchain) IN (${set.join(',')}) AND mc_seqno <= ${upTo}`,
    );
    const apart = isApart ? await messagesByHash(stores, rows) : null;
    for (const cells of rows) {
      const [hash, , , , inRow] = cells;
      const messages = apart ? apart.get(hash) : inRow;
      if (messages === undefined) continue;
      const transaction = toTransaction(cells, messages);
      found.set(`${transaction.account} ${transaction.lt}`, transaction);
    }
  }
  return found;
}

/** The packed messages of transactions, base64, by the hash of the transaction. */
async function messagesByHash(
  stores: StoreDatabase,
  rows: readonly Cells[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const set = rows.map(([hash, , , lt]) => `(${lt},${Buffer.from(hash, 'base64').readBigUInt64BE()})`);
  return new Map(
    await read<[hash: string, messages: string]>(
      stores,
      set,
      `SELECT base64Encode(hash), base64Encode(messages)
       FROM ${stores.database}.${PAYLOADS} WHERE (lt, hash8) IN (${set.join(',')})`,
    ),
  );
}

async function read<R extends readonly unknown[]>(
  { client }: StoreDatabase,
  set: readonly string[],
  sql: string,
) {
  const options = { timeoutMs: 600_000, maxMemoryBytes: 0, maxResultBytes: 1024 ** 3, inTurn: areFew(set) };
  const { rows } = await client.queryRows<R>(sql, { route: 'actions/transactions', ...options });
  return rows;
}

/** Packed messages; before version 5 of `base` they were next to the columns. */
const PAYLOADS = 'transaction_payloads';

function toTransaction(
  [hash, workchain, account, lt, , ...plain]: Cells,
  messages: string,
): TraceTransaction {
  const columns = Object.fromEntries(PLAIN_COLUMNS.map((name, i) => [name, plain[i]]));
  return plainTransaction(columns as unknown as PlainColumns, {
    hash,
    workchain,
    account: Buffer.from(account, 'hex'),
    lt: BigInt(lt),
    messages: unpackMessages(Buffer.from(messages, 'base64')),
  });
}
