import type { StoreClient } from '../client.ts';
import { localTable, onCluster } from '../cluster-scope.ts';
import { StoreError } from '../store-errors.ts';
import { metaDatabase, secretsDatabase } from './database-names.ts';

const route = 'migrations';
/** Tables that older releases have in the network's database, by their columns. */
const MOVED = {
  api_keys: 'id, name, hash, requests_per_second, created_at, expires_at, is_revoked, revision, at',
  hooks: 'id, url, secret, filter, start, allows_private, created_at, is_removed, revision, at',
} as const;

/** UNKNOWN_TABLE, and TABLE_IS_DROPPED for a statement that found the table just before. */
const TABLE_GONE: readonly number[] = [60, 218];

/**
 * Moves keys and webhooks of an older release to the database of secrets, and drops their tables. Can be repeated after a failure at any
 * point, and run by several processes: rows that were copied are not copied twice, or count once by their revision.
 */
export async function moveSecrets(client: StoreClient, network: string): Promise<void> {
  const meta = metaDatabase(network);
  const found = await findTables(client, meta);
  for (const name of Object.keys(MOVED) as (keyof typeof MOVED)[]) {
    const local = localTable(name, client.cluster);
    if (found.has(name)) await copyRows(client, network, name);
    // The local table goes last: while the other one is there, its rows can be copied.
    for (const table of new Set([name, local]))
      if (found.has(table))
        await client.command(`DROP TABLE IF EXISTS ${meta}.${table}${onCluster(client)} SYNC`, { route });
  }
}

async function findTables(client: StoreClient, database: string): Promise<ReadonlySet<string>> {
  const names = Object.keys(MOVED).flatMap((name) => [name, localTable(name, client.cluster)]);
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.tables WHERE database = {database:String} AND name IN {names:Array(String)}',
    { route, params: { database, names } },
  );
  return new Set(rows.flat());
}

async function copyRows(client: StoreClient, network: string, name: keyof typeof MOVED): Promise<void> {
  const columns = MOVED[name];
  const [from, to] = [`${metaDatabase(network)}.${name}`, `${secretsDatabase(network)}.${name}`];
  try {
    await client.command(
      `INSERT INTO ${to} (${columns}) SELECT ${columns} FROM ${from} WHERE (id, revision) NOT IN (SELECT id, revision FROM ${to})`,
      { route },
    );
  } catch (error) {
    // Another process has moved them meanwhile.
    if (!(error instanceof StoreError && TABLE_GONE.includes(error.code))) throw error;
  }
}
