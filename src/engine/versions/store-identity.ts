import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';

const route = 'identity';

/** Facts that make a network's store what it is, by key, e.g. `id` (root and file hash of the zerostate), `epoch_size`. */
export type StoreIdentity = Readonly<Record<string, string>>;

/** Identity that the store of a log is created with. */
export function toStoreIdentity({ id, epochSize, facts }: LogIdentity): StoreIdentity {
  return { id, epoch_size: String(epochSize), ...facts };
}

/** The store was created for another network or log than this start's. */
export class StoreIdentityError extends ConflictError {
  readonly database: string;
  readonly key: string;
  /** Null if the store does not have the key. */
  readonly recorded: string | null;
  /** Null if this start does not set it. */
  readonly wanted: string | null;

  constructor(database: string, key: string, recorded: string | null, wanted: string | null) {
    super(
      `database ${database} was created with ${key} = ${recorded ?? '(nothing)'}, this start has ${wanted ?? '(nothing)'}`,
    );
    this.database = database;
    this.key = key;
    this.recorded = recorded;
    this.wanted = wanted;
  }
}

/** Identity of the store, or null in a new one. The meta database must have been migrated. */
export async function readStoreIdentity(client: StoreClient, network: string): Promise<StoreIdentity | null> {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT key, argMin(value, at) FROM ${metaDatabase(network)}.identity GROUP BY key`,
    { route },
  );
  return rows.length > 0 ? Object.fromEntries(rows) : null;
}

function compare(database: string, recorded: StoreIdentity, wanted: StoreIdentity): void {
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(wanted)])) {
    if (recorded[key] !== wanted[key]) {
      throw new StoreIdentityError(database, key, recorded[key] ?? null, wanted[key] ?? null);
    }
  }
}

/** Compares the identity of a store with a log's identity. Throws `StoreIdentityError` if they differ. */
export async function checkStoreIdentity(
  client: StoreClient,
  network: string,
  identity: StoreIdentity,
): Promise<void> {
  compare(metaDatabase(network), (await readStoreIdentity(client, network)) ?? {}, identity);
}

/** Records the identity of a new store in one insert; throws `StoreIdentityError` if an existing one differs. */
export async function establishStore(
  client: StoreClient,
  network: string,
  identity: StoreIdentity,
): Promise<void> {
  const database = metaDatabase(network);
  const keys = Object.keys(identity);
  if (keys.length === 0) throw new RangeError('an identity needs at least one key');
  if ((await readStoreIdentity(client, network)) === null) {
    await client.command(
      `INSERT INTO ${database}.identity (key, value)
       SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip({keys:Array(String)}, {values:Array(String)})) AS pair)`,
      { route, params: { keys, values: keys.map((key) => identity[key]) } },
    );
  }
  // Read again: of two simultaneous starts the first one counts.
  compare(database, (await readStoreIdentity(client, network)) ?? {}, identity);
}
