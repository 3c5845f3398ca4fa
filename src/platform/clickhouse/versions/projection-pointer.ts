import type { StoreClient } from '../client.ts';
import { URGENT_SETTINGS } from '../client-options.ts';
import { metaDatabase, versionDatabase } from '../migrations/database-names.ts';

const route = 'versions';

/** Which version of each projection answers are read from. */
export type Pointers = ReadonlyMap<string, number>;

/** The newest pointer of every projection; a projection that was never pointed at is absent. */
export async function readPointers(client: StoreClient, network: string): Promise<Pointers> {
  const { rows } = await client.queryRows<[string, number]>(
    `SELECT projection, argMax(version, (revision, changed_at)) FROM ${metaDatabase(network)}.projection_pointer GROUP BY projection`,
    { route },
  );
  return new Map(rows);
}

/** A projection of a network, and the version of it that answers are to be read from. */
export interface PointerTarget {
  readonly network: string;
  readonly projection: string;
  readonly version: number;
}

/**
 * Points a projection at a version: one row, so that readers see the old version or the new one and nothing between.
 * The version's database must be there. Pointing at the present version adds no row.
 */
export async function setPointer(client: StoreClient, target: PointerTarget): Promise<void> {
  const move = await preparePointer(client, target);
  await move();
}

/** All of `setPointer` that can be done before, and the move itself: one statement, for which readers wait. */
export async function preparePointer(
  client: StoreClient,
  { network, projection, version }: PointerTarget,
): Promise<() => Promise<void>> {
  const database = versionDatabase(network, projection, version);
  const { rows } = await client.queryRows('SELECT 1 FROM system.databases WHERE name = {database:String}', {
    route,
    params: { database },
  });
  if (rows.length === 0) throw new MissingVersionError(database);
  const table = `${metaDatabase(network)}.projection_pointer`;
  const newest = await readPointer(client, network, projection);
  if (newest?.version === version) return async () => {};
  const params = { projection, version, revision: BigInt(newest?.revision ?? 0) + 1n };
  return () =>
    client.command(
      `INSERT INTO ${table} (projection, version, revision) SELECT {projection:String}, {version:UInt32}, {revision:UInt64}`,
      { route, params, settings: URGENT_SETTINGS },
    );
}

/**
 * The newest pointer of one projection; null where it was never pointed at. A short statement, for whoever waits for the
 * next one. `revision` counts the moves.
 */
export async function readPointer(
  client: StoreClient,
  network: string,
  projection: string,
): Promise<{ readonly version: number; readonly revision: string } | null> {
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT version, revision FROM ${metaDatabase(network)}.projection_pointer WHERE projection = {projection:String}
     ORDER BY revision DESC, changed_at DESC LIMIT 1`,
    { route, params: { projection }, settings: { max_threads: 1 } },
  );
  const [newest] = rows;
  return newest ? { version: newest[0], revision: newest[1] } : null;
}

/** The pointer would lead to a database that does not exist. */
export class MissingVersionError extends Error {
  override readonly name = 'MissingVersionError';
  readonly database: string;

  constructor(database: string) {
    super(`there is no database ${database}`);
    this.database = database;
  }
}

/** Versions of a projection that have a database, ascending. */
export async function listVersions(
  client: StoreClient,
  network: string,
  projection: string,
): Promise<number[]> {
  const prefix = versionDatabase(network, projection, 1).slice(0, -1);
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})',
    { route, params: { prefix } },
  );
  return rows
    .map(([name]) => name.slice(prefix.length))
    .filter((version) => /^[1-9]\d*$/.test(version))
    .map(Number)
    .sort((a, b) => a - b);
}
