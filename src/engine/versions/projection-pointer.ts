import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase, versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { pointerNotice } from './pointer-notice.ts';

const route = 'versions';

/**
 * How long before a version is served its pointer is written, milliseconds. A server that looks at least twice in this time
 * knows the moment beforehand: readers in every process change over at the same time, however long writing the row took.
 */
export const ANNOUNCE_MS = 2_000;

/** Served version of a projection. */
export interface Pointer {
  /** Null where nothing was ever pointed at. */
  readonly version: number | null;
  /** Announced version and its moment (`performance.now()`); null where none is announced. */
  readonly next: { readonly version: number; readonly at: number } | null;
}

/** Pointers by projection. */
export type Pointers = ReadonlyMap<string, Pointer>;

/** The pointer of a projection that was never built. */
export const NO_POINTER: Pointer = { version: null, next: null };

/** A row of `projection_pointer`; `inMs`: until its moment, by the store's clock. */
interface PointerRow {
  readonly version: number;
  readonly revision: bigint;
  readonly inMs: number;
}

/** A row whose time is farther than `ANNOUNCE_MS` is of a clock that was set back. */
function isAnnounced({ inMs }: PointerRow): boolean {
  return inMs >= 1 && inMs <= ANNOUNCE_MS;
}

/** Reads the pointers of all projections: one short statement, however many follow them. */
export async function readPointers(client: StoreClient, network: string): Promise<Pointers> {
  const startedAt = performance.now();
  const rows = await readRows(client, network);
  // The store looked at its clock between the question and the answer.
  const readAt = (startedAt + performance.now()) / 2;
  const buildPointer = (own: readonly PointerRow[]): Pointer => {
    const newest = own.at(-1);
    return {
      version: own.findLast((row) => !isAnnounced(row))?.version ?? null,
      next: newest && isAnnounced(newest) ? { version: newest.version, at: readAt + newest.inMs } : null,
    };
  };
  return new Map([...rows].map(([projection, own]) => [projection, buildPointer(own)]));
}

/** Reads the pointer of one projection. */
export async function readPointer(
  client: StoreClient,
  network: string,
  projection: string,
): Promise<Pointer> {
  return (await readPointers(client, network)).get(projection) ?? NO_POINTER;
}

/** Rows by projection, the newest last. */
async function readRows(client: StoreClient, network: string): Promise<Map<string, PointerRow[]>> {
  const { rows } = await client.queryRows<[string, number, string, string]>(
    `SELECT projection, version, revision, dateDiff('millisecond', now64(3), changed_at)
     FROM ${metaDatabase(network)}.projection_pointer ORDER BY projection, revision, changed_at`,
    // Asked again and again: planning costs more than reading.
    { route, settings: { max_threads: 1, enable_analyzer: 0 } },
  );
  const found = new Map<string, PointerRow[]>();
  for (const [projection, version, revision, inMs] of rows) {
    const row = { version, revision: BigInt(revision), inMs: Number(inMs) };
    const own = found.get(projection);
    if (own) own.push(row);
    else found.set(projection, [row]);
  }
  return found;
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
  const newest = (await readRows(client, network)).get(projection)?.at(-1);
  if (newest?.version === version) return;
  const notice = pointerNotice(client, network);
  notice?.notify();
  await client.command(
    `INSERT INTO ${metaDatabase(network)}.projection_pointer (projection, version, revision, changed_at)
     SELECT {projection:String}, {version:UInt32}, {revision:UInt64}, now64(3) + toIntervalMillisecond({inMs:UInt32})`,
    { route, params: { projection, version, revision: (newest?.revision ?? 0n) + 1n, inMs } },
  );
  notice?.notify();
}

/** The pointer would lead to a database that does not exist. */
export class MissingVersionError extends ConflictError {
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
