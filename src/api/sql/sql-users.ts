import { hash, randomBytes } from 'node:crypto';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { secretsDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { SqlUser } from '../sql-port.ts';

const route = 'serve/sql-users';
const PASSWORD_BYTES = 24;

/** Allowed names: not `analyst` and `default`, which need no user. */
export const SQL_USER_NAME = /^(?!(?:analyst|default)$)[a-z][a-z0-9_.-]{0,63}$/;

/** A new password, which is shown once, and its hash. */
export function newPassword(): { readonly text: string; readonly hash: string } {
  const text = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { text, hash: hashPassword(text) };
}

export function hashPassword(text: string): string {
  return hash('sha256', text);
}

/** Users of a network, by name. The client is the owner's: no other user can read them. */
export async function readSqlUsers(client: StoreClient, network: string): Promise<readonly SqlUser[]> {
  const { rows } = await client.queryRows<[string, string, number]>(
    `SELECT name, argMax(hash, revision), toUInt32(argMax(created_at, revision)) FROM ${secretsDatabase(network)}.sql_users
     GROUP BY name HAVING NOT argMax(is_removed, revision) ORDER BY name`,
    { route, settings: { max_threads: 1 } },
  );
  return rows.map(([name, passwordHash, createdAt]) => ({ name, hash: passwordHash, createdAt }));
}

/** Adds the current state of a user. */
export async function writeSqlUser(
  client: StoreClient,
  network: string,
  { name, hash: passwordHash, createdAt, isRemoved }: SqlUser & { readonly isRemoved: boolean },
): Promise<void> {
  const table = `${secretsDatabase(network)}.sql_users`;
  await client.command(
    `INSERT INTO ${table} (name, hash, created_at, is_removed, revision)
     SELECT {name:String}, {hash:String}, toDateTime({created:UInt32}), {removed:Bool},
       (SELECT max(revision) + 1 FROM ${table} WHERE name = {name:String})`,
    { route, params: { name, hash: passwordHash, created: createdAt, removed: isRemoved } },
  );
}
