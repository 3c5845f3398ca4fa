import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { pendingMeta } from '../../platform/clickhouse/migrations/migrate.ts';
import type { TableProjection } from '../projection/projection.ts';
import { versionMigrations } from './create-version.ts';
import { OlderStoreError } from './older-store-error.ts';
import { readPointer } from './projection-pointer.ts';
import { checkStoreIdentity, toStoreIdentity } from './store-identity.ts';
import { readVersionRecords } from './version-records.ts';

/**
 * Checks, without changing anything, that the store is what `prepareStore` would make of it. Answers false where nothing
 * was made for the network yet.
 * @throws OlderStoreError, StoreIdentityError
 */
export async function isStoreMade(
  client: StoreClient,
  identity: LogIdentity,
  projections: readonly TableProjection[],
): Promise<boolean> {
  const [first] = projections;
  if (!first) throw new RangeError('a store is made for one projection at least');
  const { network } = identity;
  const files = await pendingMeta(client, versionMigrations(identity, first));
  if (files === null) return false;
  if (files.length > 0) throw new OlderStoreError(network, files);
  await checkStoreIdentity(client, network, toStoreIdentity(identity));
  const lacks: string[] = [];
  for (const projection of projections) lacks.push(...(await findMissing(client, network, projection)));
  if (lacks.length > 0) throw new OlderStoreError(network, lacks);
  return true;
}

async function findMissing(
  client: StoreClient,
  network: string,
  { name, input }: TableProjection,
): Promise<readonly string[]> {
  const { version } = await readPointer(client, network, name);
  // One that is made from another's records, or from a topic that another feeds, may be off.
  const isNeeded = input.projection === name && !input.isFed;
  if (version === null) return isNeeded ? [`projection ${name}`] : [];
  const records = await readVersionRecords(client, network, name);
  const record = records.find((one) => one.version === version);
  return record?.schema ? [] : [`the schema of ${name}, version ${version}`];
}
