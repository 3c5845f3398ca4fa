import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase, versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';

const route = 'versions';

/**
 * How long before a version is served its pointer is written, milliseconds. Whoever looks at least twice in this time
 * knows the moment beforehand: readers in every process change over at the same time, however long writing the row took.
 */
export const ANNOUNCE_MS = 2_000;

/** Which version of a projection is served. */
export interface Pointer {
  /** Null where nothing was ever pointed at. */
  readonly version: number | null;
  /** What is going to be served, and from when on (`performance.now()`); null where nothing is announced. */
  readonly next: { readonly version: number; readonly at: number } | null;
}

/** Reads the pointer of one projection. A row whose time is farther than `ANNOUNCE_MS` is of a clock that was set back. */
export async function readPointer(
  client: StoreClient,
  network: string,
  projection: string,
): Promise<Pointer> {
  const asked = performance.now();
  const { newest, served } = await readNewest(client, network, projection);
  // The store looked at its clock between the question and the answer.
  const looked = (asked + performance.now()) / 2;
  return {
    // Versions are counted from 1.
    version: served === 0 ? null : served,
    next: newest.inMs > 0 ? { version: newest.version, at: looked + newest.inMs } : null,
  };
}

async function readNewest(client: StoreClient, network: string, projection: string) {
  const { rows } = await client.queryRows<[number, number, string, number]>(
    `WITH dateDiff('millisecond', now64(3), changed_at) AS in_ms, in_ms BETWEEN 1 AND {announce:UInt32} AS is_announced
     SELECT argMaxIf(version, (revision, changed_at), NOT is_announced), argMax(version, (revision, changed_at)),
       max(revision), argMax(if(is_announced, in_ms, 0), (revision, changed_at))
     FROM ${metaDatabase(network)}.projection_pointer WHERE projection = {projection:String}`,
    { route, params: { projection, announce: ANNOUNCE_MS }, settings: { max_threads: 1 } },
  );
  const [served, version, revision, inMs] = rows[0] ?? [0, 0, '0', 0];
  return { served, newest: { version, revision: BigInt(revision), inMs: Number(inMs) } };
}

/** A projection of a network, and the version of it that answers are to be read from. */
export interface PointerTarget {
  readonly network: string;
  readonly projection: string;
  readonly version: number;
}

/**
 * Points a projection at a version, `inMs` milliseconds (at most `ANNOUNCE_MS`) from now: one row, so that readers see the
 * old version or the new one and nothing between. The version's database must be there. Pointing at what the newest row
 * points at adds no row.
 */
export async function setPointer(
  client: StoreClient,
  { network, projection, version }: PointerTarget,
  inMs = 0,
): Promise<void> {
  const database = versionDatabase(network, projection, version);
  const { rows } = await client.queryRows('SELECT 1 FROM system.databases WHERE name = {database:String}', {
    route,
    params: { database },
  });
  if (rows.length === 0) throw new MissingVersionError(database);
  const { newest } = await readNewest(client, network, projection);
  if (newest.version === version) return;
  await client.command(
    `INSERT INTO ${metaDatabase(network)}.projection_pointer (projection, version, revision, changed_at)
     SELECT {projection:String}, {version:UInt32}, {revision:UInt64}, now64(3) + toIntervalMillisecond({inMs:UInt32})`,
    { route, params: { projection, version, revision: newest.revision + 1n, inMs } },
  );
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
