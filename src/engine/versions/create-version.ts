import type { LogIdentity } from '../../log/port.ts';
import { type MigrateOptions, migrate } from '../../platform/clickhouse/migrations/migrate.ts';
import { MIGRATIONS } from '../project-files.ts';
import type { TableProjection } from '../projection/projection.ts';
import { getSharding } from '../sink/sink-definition.ts';
import { FIRST_VERSION, getDatabase } from './version-names.ts';
import { getFingerprint, type StoredVersion } from './version-projection.ts';
import { heldSink, readTables, type VersionSchema } from './version-schema.ts';

/** The few rows about the store itself are on the first shard: one row there is one row for all. */
const META_SHARDING = { '*': '0' };

/** The migrations that make a version of a projection. */
export function versionMigrations(
  { network, epochSize }: Pick<LogIdentity, 'network' | 'epochSize'>,
  { name, sink, migrations = MIGRATIONS }: TableProjection,
  version: number = FIRST_VERSION,
): MigrateOptions {
  return {
    network,
    projection: name,
    version,
    directory: migrations,
    epochSize,
    shardingKeys: { meta: META_SHARDING, [name]: getSharding(sink) },
  };
}

/**
 * Makes the tables of a version; of one that was cut off, those that it lacks. Answers the files applied, and what the
 * version consists of: to be written down with it.
 */
export async function createVersion({
  client,
  identity,
  projection,
  version,
}: StoredVersion & { readonly identity: LogIdentity }): Promise<{
  readonly applied: readonly string[];
  readonly schema: VersionSchema;
}> {
  const { applied } = await migrate(client, versionMigrations(identity, projection, version));
  const tables = await readTables(client, getDatabase(identity, projection, version));
  return {
    applied,
    schema: { fingerprint: getFingerprint(projection), tables, sink: heldSink(projection.sink) },
  };
}
