import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type MigrateOptions, migrate, migrateMeta } from '../../platform/clickhouse/migrations/migrate.ts';
import { MIGRATIONS } from '../project-files.ts';
import type { TableProjection } from '../projection/projection.ts';
import { shardingOf } from '../sink/sink-definition.ts';
import { readPointer, setPointer } from './projection-pointer.ts';
import { establishStore } from './store-identity.ts';
import { databaseOf, FIRST_VERSION } from './version-names.ts';
import { readVersionRecords, recordVersion } from './version-records.ts';

/** The few rows about the store itself stand on the first shard: one row there is one row for everybody. */
const META_SHARDING = { '*': '0' };

/** The migrations of a version of a projection. */
export function versionMigrations(
  { network, epochSize }: LogIdentity,
  { name, sink }: TableProjection,
  version: number = FIRST_VERSION,
): MigrateOptions {
  return {
    network,
    projection: name,
    version,
    directory: MIGRATIONS,
    epochSize,
    shardingKeys: { meta: META_SHARDING, [name]: shardingOf(sink) },
  };
}

/**
 * Makes the store ready for a log: refuses a store of another network, applies what migrations the served versions
 * lack, and begins with the first version of a projection where nothing was served before. Returns the files applied.
 */
export async function prepareStore(
  client: StoreClient,
  identity: LogIdentity,
  projections: readonly TableProjection[],
): Promise<readonly string[]> {
  const [first] = projections;
  if (!first) throw new RangeError('a store is prepared for one projection at least');
  const meta = await migrateMeta(client, versionMigrations(identity, first));
  await establishStore(client, identity.network, {
    id: identity.id,
    epoch_size: String(identity.epochSize),
    ...identity.facts,
  });
  const applied = [...meta.applied];
  for (const projection of projections)
    applied.push(...(await prepareProjection(client, identity, projection)));
  return applied;
}

async function prepareProjection(
  client: StoreClient,
  identity: LogIdentity,
  projection: TableProjection,
): Promise<readonly string[]> {
  const first = versionMigrations(identity, projection);
  const { version } = await readPointer(client, identity.network, projection.name);
  const { applied } = await migrate(
    client,
    versionMigrations(identity, projection, version ?? FIRST_VERSION),
  );
  if (version === null) {
    // The record comes before the pointer: of a store that was there before records, none is made up.
    await recordVersion(client, first, {
      version: FIRST_VERSION,
      codeVersion: projection.version,
      state: 'ready',
      detail: {},
    });
    await setPointer(client, first);
  }
  return applied;
}

/** The version of a projection that is served, and that what follows the head writes. */
export async function servedVersion(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
  { name }: Pick<TableProjection, 'name'>,
): Promise<number> {
  return (await readPointer(client, network, name)).version ?? FIRST_VERSION;
}

/** Database of the version of a projection that is served. */
export async function servedDatabase(
  client: StoreClient,
  identity: Pick<LogIdentity, 'network'>,
  projection: Pick<TableProjection, 'name'>,
): Promise<string> {
  return databaseOf(identity, projection, await servedVersion(client, identity, projection));
}

/** Version of the decoder that built a version; one of before there were records has its own number. */
export async function codeVersionOf(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
  { name }: Pick<TableProjection, 'name'>,
  version: number,
): Promise<number> {
  const records = await readVersionRecords(client, network, name);
  return records.find((record) => record.version === version)?.codeVersion ?? version;
}
