import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase, secretsDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { StoreError } from '../../platform/clickhouse/store-errors.ts';
import type { ApiKey } from './api-key.ts';

const route = 'serve/keys';

/** Keys beyond this are not read: every server has the list in memory. */
export const MAX_KEYS = 100_000;

type Row = readonly [
  id: string,
  name: string,
  hash: string,
  requestsPerSecond: number,
  createdAt: number,
  expiresAt: number,
  isRevoked: boolean,
];

/** UNKNOWN_TABLE, UNKNOWN_DATABASE */
const NOT_MADE: ReadonlySet<number> = new Set([60, 81]);

/**
 * Reads every key of a network, oldest first, as its newest row has it. The client is the owner's: the reader cannot read keys. A store that
 * an older release made has them in the network's database until it is migrated.
 */
export async function readKeys(client: StoreClient, network: string): Promise<readonly ApiKey[]> {
  try {
    return await readKeysIn(client, secretsDatabase(network));
  } catch (error) {
    if (!(error instanceof StoreError && NOT_MADE.has(error.code))) throw error;
    return readKeysIn(client, metaDatabase(network));
  }
}

async function readKeysIn(client: StoreClient, database: string): Promise<readonly ApiKey[]> {
  const { rows } = await client.queryRows<[...Row]>(
    `SELECT id, argMax(name, revision), argMax(hash, revision), argMax(requests_per_second, revision),
       toUInt32(argMax(created_at, revision)) AS created, toUInt32(argMax(expires_at, revision)), argMax(is_revoked, revision)
     FROM ${database}.api_keys GROUP BY id ORDER BY created, id LIMIT {most:UInt32}`,
    { route, params: { most: MAX_KEYS }, settings: { max_threads: 1 } },
  );
  return rows.map(([id, name, hash, requestsPerSecond, createdAt, expiresAt, isRevoked]) => ({
    id,
    name,
    hash,
    requestsPerSecond,
    createdAt,
    expiresAt: expiresAt === 0 ? null : expiresAt,
    isRevoked,
  }));
}

/** Adds the current state of a key: a new one, or the next state of an existing one. */
export async function writeKey(client: StoreClient, network: string, key: ApiKey): Promise<void> {
  const database = secretsDatabase(network);
  await client.command(
    `INSERT INTO ${database}.api_keys (id, name, hash, requests_per_second, created_at, expires_at, is_revoked, revision)
     SELECT {id:String}, {name:String}, {hash:String}, {rate:UInt32}, toDateTime({created:UInt32}), toDateTime({expires:UInt32}),
       {revoked:Bool}, (SELECT max(revision) + 1 FROM ${database}.api_keys WHERE id = {id:String})`,
    {
      route,
      params: {
        id: key.id,
        name: key.name,
        hash: key.hash,
        rate: key.requestsPerSecond,
        created: key.createdAt,
        expires: key.expiresAt ?? 0,
        revoked: key.isRevoked,
      },
    },
  );
}
