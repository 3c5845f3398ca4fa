import { randomBytes } from 'node:crypto';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { BenchError } from '../common/bench-error.ts';
import type { HttpCall } from './http-load.ts';

/** An endpoint with requests of many keys. */
export interface Endpoint {
  readonly name: string;
  readonly requests: readonly HttpCall[];
}

/** Keys of each kind, at most; requests go through them again and again. */
const MOST_KEYS = 300;
const LIMIT = 100;
/**
 * Bytes of a transaction, on average, of an account whose page is asked for. The index repeats real transactions
 * hundreds of times on the same account: one of 350 KB would make pages of 35 MB, which no chain has.
 */
const LARGEST_ANSWER = 10_000;
const V3 = '/api/v3/transactions';

/** The endpoints that the issue names, with keys taken from the store in no order (accounts: of those that fill a page). */
export async function chooseEndpoints(
  client: StoreClient,
  db: string,
  requests: number,
): Promise<Endpoint[]> {
  const keys = Math.min(MOST_KEYS, requests);
  const select = async <R extends readonly unknown[]>(sql: string): Promise<R[]> => {
    const options = { route: 'bench/keys', params: { db }, timeoutMs: 120_000, maxMemoryBytes: 0 };
    const rows = (await client.queryRows<R>(`${sql} LIMIT ${keys}`, options)).rows;
    if (rows.length === 0) throw new BenchError(`the index in ${db} has no data for: ${sql}`);
    return [...rows];
  };
  const hashes = await select<[string]>(
    'SELECT lower(hex(hash)) FROM {db:Identifier}.transactions ORDER BY cityHash64(hash)',
  );
  const accounts = await select<[number, string]>(
    `SELECT workchain, hex(account) FROM {db:Identifier}.account_transactions
     GROUP BY workchain, account HAVING count() >= ${LIMIT} AND avg(length(answer)) < ${LARGEST_ANSWER}
     ORDER BY cityHash64(account)`,
  );
  const blocks = await select<[number, string, number]>(
    `SELECT workchain, lower(hex(shard)), seqno FROM {db:Identifier}.blocks_by_id
     WHERE tx_count > 0 ORDER BY cityHash64(root_hash)`,
  );
  return [
    endpoint(
      'v3 transaction by hash',
      hashes.map(([hash]) => `${V3}?hash=${hash}`),
    ),
    endpoint(
      'v3 account page of 100',
      accounts.map(([workchain, hash]) => accountPage(workchain, hash)),
    ),
    endpoint(
      'v3 account page of an account with none',
      Array.from({ length: keys }, () => accountPage(0, randomBytes(32).toString('hex'))),
    ),
    endpoint(
      'v3 block page of 100',
      blocks.map(
        ([workchain, shard, seqno]) =>
          `${V3}?workchain=${workchain}&shard=${shard}&seqno=${seqno}&limit=${LIMIT}`,
      ),
    ),
    endpoint('v3 latest 100', [`${V3}?limit=${LIMIT}&sort=desc`]),
  ];
}

function accountPage(workchain: number, hash: string): string {
  return `${V3}?account=${workchain}:${hash}&limit=${LIMIT}&sort=desc`;
}

function endpoint(name: string, paths: readonly string[]): Endpoint {
  return { name, requests: paths.map((path) => ({ method: 'GET', path, headers: {}, body: null })) };
}
