import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { migrateMeta } from '../../platform/clickhouse/migrations/migrate.ts';
import type { TableProjection } from '../projection/projection.ts';
import { adoptVersions } from './adopt-versions.ts';
import { createVersion, versionMigrations } from './create-version.ts';
import { readPointer, setPointer } from './projection-pointer.ts';
import { establishStore, toStoreIdentity } from './store-identity.ts';
import { FIRST_VERSION, getDatabase } from './version-names.ts';
import { readVersionRecords, recordVersion } from './version-records.ts';

/**
 * Prepares the store for a log: refuses a store of another network, and creates the first version of a projection if
 * none was served. Existing versions keep their tables. Returns the applied files.
 */
export async function prepareStore(
  client: StoreClient,
  identity: LogIdentity,
  projections: readonly TableProjection[],
): Promise<readonly string[]> {
  const [first] = projections;
  if (!first) throw new RangeError('a store is prepared for one projection at least');
  const meta = await migrateMeta(client, versionMigrations(identity, first));
  await establishStore(client, identity.network, toStoreIdentity(identity));
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
  const { version } = await readPointer(client, identity.network, projection.name);
  if (version !== null) return adoptVersions({ client, identity, projection, served: version });
  const first = { client, identity, projection, version: FIRST_VERSION };
  const { applied, schema } = await createVersion(first);
  // The record comes before the pointer: an older store without records gets none here.
  const owner = { network: identity.network, projection: projection.name };
  await recordVersion(client, owner, {
    version: FIRST_VERSION,
    codeVersion: projection.version,
    state: 'ready',
    detail: {},
    schema,
  });
  await setPointer(client, { ...owner, version: FIRST_VERSION });
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
  return getDatabase(identity, projection, await servedVersion(client, identity, projection));
}

/** Version of the decoder that built a version; one of before there were records has its own number. */
export async function readCodeVersion(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
  { name }: Pick<TableProjection, 'name'>,
  version: number,
): Promise<number> {
  const records = await readVersionRecords(client, network, name);
  return records.find((record) => record.version === version)?.codeVersion ?? version;
}
