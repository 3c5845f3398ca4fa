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

export type TransactionKey = Pick<TraceTransactionV1, 'workchain' | 'account' | 'lt'>;

/** Keys asked for by one statement: its text stays below the server's `max_query_size`. */
const KEYS = 1_000;

type Cells = [hash: string, workchain: number, account: string, lt: string, messages: string, ...unknown[]];

/** Name of a transaction in `readTransactions`. */
export function nameOf({ workchain, account, lt }: TransactionKey): string {
  return `${formatRaw(workchain, account)} ${lt}`;
}

/** Transactions that the index of the chain has up to a step, as the classifier takes them, by `nameOf`. */
export async function readTransactions(
  { client, database }: StoreDatabase,
  keys: readonly TransactionKey[],
  upTo: number,
): Promise<ReadonlyMap<string, TraceTransaction>> {
  const found = new Map<string, TraceTransaction>();
  for (let at = 0; at < keys.length; at += KEYS) {
    const set = keys
      .slice(at, at + KEYS)
      .map(({ lt, account, workchain }) => `(${lt},unhex('${account.toHex()}'),${workchain})`);
    const { rows } = await client.queryRows<Cells>(
      `SELECT base64Encode(hash), workchain, hex(account), toString(lt), base64Encode(messages), ${PLAIN_COLUMNS.join(', ')}
       FROM ${database}.transactions WHERE (lt, account, workchain) IN (${set.join(',')}) AND mc_seqno <= ${upTo}`,
      { route: 'actions/transactions', timeoutMs: 600_000, maxMemoryBytes: 0, maxResultBytes: 1024 ** 3 },
    );
    for (const cells of rows) {
      const transaction = transactionOf(cells);
      found.set(`${transaction.account} ${transaction.lt}`, transaction);
    }
  }
  return found;
}

function transactionOf([hash, workchain, account, lt, messages, ...plain]: Cells): TraceTransaction {
  const columns = Object.fromEntries(PLAIN_COLUMNS.map((name, i) => [name, plain[i]]));
  return plainTransaction(columns as unknown as PlainColumns, {
    hash,
    workchain,
    account: Buffer.from(account, 'hex'),
    lt: BigInt(lt),
    messages: unpackMessages(Buffer.from(messages, 'base64')),
  });
}
