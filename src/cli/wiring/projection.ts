import { fileURLToPath } from 'node:url';
import { DECODE } from '../../../pipelines/decode.ts';
import { SHARDING_KEYS } from '../../../pipelines/sharding.ts';
import type { LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { type MigrateOptions, migrate, migrateMeta } from '../../platform/clickhouse/migrations/migrate.ts';
import { readPointer, setPointer } from '../../platform/clickhouse/versions/projection-pointer.ts';
import { establishStore } from '../../platform/clickhouse/versions/store-identity.ts';
import { readVersionRecords, recordVersion } from '../../platform/clickhouse/versions/version-records.ts';
import { BASE_CODE, FIRST_VERSION } from './base-code.ts';

/** Root of the project: paths in pipelines/ are relative to it. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

const MIGRATIONS = fileURLToPath(new URL('../../../clickhouse/migrations/', import.meta.url));

/** The migrations of a version of `base`. */
export function baseMigrations(identity: LogIdentity, version: number = FIRST_VERSION): MigrateOptions {
  const { network, epochSize } = identity;
  return {
    network,
    projection: DECODE.projection,
    version,
    directory: MIGRATIONS,
    epochSize,
    shardingKeys: SHARDING_KEYS,
  };
}

/** Database of a version of `base`; of a store that was never replayed, the only one. */
export function baseDatabase(
  identity: Pick<LogIdentity, 'network'>,
  version: number = FIRST_VERSION,
): string {
  return versionDatabase(identity.network, DECODE.projection, version);
}

/**
 * Makes the store ready for a log: refuses a store of another network, applies what migrations the served version
 * lacks, and begins with the first version where nothing was served before. Returns the files applied.
 * `codeVersion`: of the decoder that is going to write.
 */
export async function prepareStore(
  client: StoreClient,
  identity: LogIdentity,
  codeVersion: number = BASE_CODE.version,
): Promise<readonly string[]> {
  const first = baseMigrations(identity);
  const meta = await migrateMeta(client, first);
  await establishStore(client, identity.network, {
    id: identity.id,
    epoch_size: String(identity.epochSize),
    ...identity.facts,
  });
  const { version } = await readPointer(client, identity.network, DECODE.projection);
  const { applied } = await migrate(client, baseMigrations(identity, version ?? FIRST_VERSION));
  if (version === null) {
    // The record comes before the pointer: of a store that was there before records, none is made up.
    await recordVersion(client, first, { version: FIRST_VERSION, codeVersion, state: 'ready', detail: {} });
    await setPointer(client, first);
  }
  return [...meta.applied, ...applied];
}

/** The version of `base` that is served, and that what follows the head writes. */
export async function servedVersion(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
): Promise<number> {
  return (await readPointer(client, network, DECODE.projection)).version ?? FIRST_VERSION;
}

/** Database of the version of `base` that is served. */
export async function servedDatabase(client: StoreClient, identity: LogIdentity): Promise<string> {
  return baseDatabase(identity, await servedVersion(client, identity));
}

/** Version of the decoder that built a version; one of before there were records has its own number. */
export async function codeVersionOf(
  client: StoreClient,
  { network }: LogIdentity,
  version: number,
): Promise<number> {
  const records = await readVersionRecords(client, network, DECODE.projection);
  return records.find((record) => record.version === version)?.codeVersion ?? version;
}
