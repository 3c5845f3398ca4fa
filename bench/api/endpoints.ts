import { randomBytes } from 'node:crypto';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { BenchError } from '../common/bench-error.ts';
import type { HttpCall } from './http-sender.ts';

/** An endpoint with requests of many keys. */
export interface Endpoint {
  readonly name: string;
  readonly requests: readonly HttpCall[];
}

/** Keys of each kind, at most; requests go through them again and again. */
export const MAX_KEYS = 300;
const LIMIT = 100;
/** Keys of a request for several. */
const SEVERAL = 20;
/** Length of a time range: some blocks. */
const RANGE_SECONDS = 60;
/**
 * Bytes of a transaction, on average, of an account whose page is asked for. The index repeats real transactions
 * hundreds of times on the same account: one of 350 KB would make pages of 35 MB, which no chain has.
 */
const LARGEST_ANSWER = 10_000;
const V3 = '/api/v3';
const TRANSACTIONS = `${V3}/transactions`;

/** Keys taken from the store, in no order. */
interface Keys {
  /** Hashes of transactions and of messages, hex. */
  readonly hashes: readonly string[];
  readonly messages: readonly string[];
  /** Raw addresses: of any account, and of accounts that fill a page. */
  readonly accounts: readonly string[];
  readonly busyAccounts: readonly string[];
  /** Raw addresses that no transaction has. */
  readonly absent: readonly string[];
  readonly blocks: readonly (readonly [workchain: number, shard: string, seqno: number])[];
  /** Times of blocks, Unix seconds. */
  readonly times: readonly number[];
}

type Select = <R extends readonly unknown[]>(sql: string) => Promise<readonly R[]>;

/** The measured endpoints, with keys of the index. Throws `BenchError` if it has none. */
export async function chooseEndpoints(
  client: StoreClient,
  db: string,
  requests: number,
): Promise<Endpoint[]> {
  const count = Math.min(MAX_KEYS, requests);
  return buildEndpoints(
    await chooseKeys(async <R extends readonly unknown[]>(sql: string) => {
      const options = { route: 'bench/keys', params: { db }, timeoutMs: 120_000, maxMemoryBytes: 0 };
      const { rows } = await client.queryRows<R>(`${sql} LIMIT ${count}`, options);
      if (rows.length === 0) throw new BenchError(`the index in ${db} has no data for: ${sql}`);
      return rows;
    }, count),
  );
}

async function chooseKeys(select: Select, count: number): Promise<Keys> {
  const texts = async (sql: string) => (await select<[string]>(sql)).map(([text]) => text);
  const address = "concat(toString(workchain), ':', hex(account))";
  const grouped = `SELECT ${address} FROM {db:Identifier}.account_transactions GROUP BY workchain, account`;
  return {
    hashes: await texts(
      'SELECT lower(hex(hash)) FROM {db:Identifier}.transactions ORDER BY cityHash64(hash)',
    ),
    messages: await texts(
      // The blocks are not consecutive: a message whose sender is not in them is found only by its transaction.
      "SELECT lower(hex(hash)) FROM {db:Identifier}.messages WHERE side = 'in' AND hash8 IN" +
        ' (SELECT hash8 FROM {db:Identifier}.message_hashes) ORDER BY cityHash64(hash)',
    ),
    accounts: await texts(`${grouped} ORDER BY cityHash64(account)`),
    busyAccounts: await texts(
      `${grouped} HAVING count() >= ${LIMIT} AND avg(length(payload)) < ${LARGEST_ANSWER} ORDER BY cityHash64(account)`,
    ),
    absent: Array.from({ length: count }, () => `0:${randomBytes(32).toString('hex')}`),
    blocks: await select<[number, string, number]>(
      `SELECT workchain, lower(hex(shard)), seqno FROM {db:Identifier}.blocks_by_id
       WHERE tx_count > 0 ORDER BY cityHash64(root_hash)`,
    ),
    times: (
      await select<[number]>(
        'SELECT DISTINCT gen_utime FROM {db:Identifier}.blocks WHERE tx_count > 0 ORDER BY cityHash64(gen_utime)',
      )
    ).map(([time]) => time),
  };
}

/** The names of the look-ups, of the ranking and of the pages are those that the bars of the project name. */
function buildEndpoints(keys: Keys): Endpoint[] {
  const { hashes, messages, accounts, busyAccounts, absent, blocks, times } = keys;
  return [
    endpoint('transaction by hash', hashes, (hash) => `${TRANSACTIONS}?hash=${hash}`),
    endpoint('message by hash', messages, (hash) => `${V3}/messages?msg_hash=${hash}`),
    endpoint('account', accounts, accountPage),
    endpoint('account state', accounts, (account) => `${V3}/accountStates?address=${account}`),
    endpoint('account states of 20', several(accounts), (some) => `${V3}/accountStates?address=${some}`),
    endpoint('wallet states of 20', several(accounts), (some) => `${V3}/walletStates?address=${some}`),
    endpoint('transaction by message', messages, (hash) => `${V3}/transactionsByMessage?msg_hash=${hash}`),
    endpoint(
      'transactions in a time range',
      times,
      (time) => `${TRANSACTIONS}?start_utime=${time}&end_utime=${time + RANGE_SECONDS}&limit=${LIMIT}`,
    ),
    endpoint('top balances', [LIMIT], (limit) => `${V3}/topAccountsByBalance?limit=${limit}`),
    endpoint('account page', busyAccounts, accountPage),
    endpoint('account without transactions', absent, accountPage),
    endpoint(
      'block page',
      blocks,
      ([workchain, shard, seqno]) =>
        `${TRANSACTIONS}?workchain=${workchain}&shard=${shard}&seqno=${seqno}&limit=${LIMIT}`,
    ),
    endpoint('latest', [LIMIT], (limit) => `${TRANSACTIONS}?limit=${limit}&sort=desc`),
  ];
}

/** Lists of 20 keys each, joined by commas. */
export function several(keys: readonly string[]): string[] {
  return keys.map((_, at) =>
    Array.from(
      { length: Math.min(SEVERAL, keys.length) },
      (_one, i) => keys[(at + i * 7) % keys.length],
    ).join(),
  );
}

function accountPage(account: string): string {
  return `${TRANSACTIONS}?account=${account}&limit=${LIMIT}&sort=desc`;
}

/** An endpoint with a request for each key. */
export function endpoint<Key>(name: string, keys: readonly Key[], path: (key: Key) => string): Endpoint {
  return {
    name,
    requests: keys.map((key) => ({ method: 'GET', path: path(key), headers: {}, body: null })),
  };
}
