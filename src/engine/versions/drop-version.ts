import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import { versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { readPointer } from './projection-pointer.ts';
import { recordVersion, type VersionRecord } from './version-records.ts';

/** A version that is being served, or is about to be, was to be dropped. */
export class ServedVersionError extends ConflictError {
  readonly database: string;
  constructor(database: string) {
    super(`${database} is the version that is served: point at another one first`);
    this.database = database;
  }
}

/** Drops the database of a version, and writes down that its number is used up. Throws `ServedVersionError`. */
export async function dropVersion(
  client: StoreClient,
  owner: { readonly network: string; readonly projection: string },
  record: VersionRecord,
): Promise<void> {
  const database = versionDatabase(owner.network, owner.projection, record.version);
  const { version, next } = await readPointer(client, owner.network, owner.projection);
  if (record.version === version || record.version === next?.version) throw new ServedVersionError(database);
  // Written first: a drop that is cut off half-way leaves nothing that anybody would go on with.
  await recordVersion(client, owner, { ...record, state: 'dropped', detail: {}, schema: null });
  // The version that is served instead must not be lost in a power cut after this.
  await client.flush();
  await client.command(`DROP DATABASE IF EXISTS ${database}${onCluster(client)} SYNC`, {
    route: 'versions/drop',
    // Look-ups of the views for analysts may still read the version: a server replaces or drops them.
    settings: { check_table_dependencies: 0 },
  });
}
