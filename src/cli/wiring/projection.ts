import { fileURLToPath } from 'node:url';
import { DECODE } from '../../../pipelines/decode.ts';
import type { LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { type MigrateOptions, migrate, migrateMeta } from '../../platform/clickhouse/migrations/migrate.ts';
import { readPointers, setPointer } from '../../platform/clickhouse/versions/projection-pointer.ts';
import { establishStore } from '../../platform/clickhouse/versions/store-identity.ts';

/** Root of the project: paths in pipelines/ are relative to it. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

const MIGRATIONS = fileURLToPath(new URL('../../../clickhouse/migrations/', import.meta.url));

/** The migrations of `base` in the code's version. */
export function baseMigrations(identity: LogIdentity): MigrateOptions {
  const { network, epochSize } = identity;
  const { projection, version } = DECODE;
  return { network, projection, version, directory: MIGRATIONS, epochSize };
}

/** Database that the code's version of `base` writes. */
export function baseDatabase(identity: LogIdentity): string {
  return versionDatabase(identity.network, DECODE.projection, DECODE.version);
}

/**
 * Makes the store ready for a log: refuses a store of another network, applies what migrations are missing, and points
 * `base` at the code's version where nothing was served before. Returns the files applied.
 */
export async function prepareStore(client: StoreClient, identity: LogIdentity): Promise<readonly string[]> {
  const options = baseMigrations(identity);
  const meta = await migrateMeta(client, options);
  await establishStore(client, identity.network, {
    id: identity.id,
    epoch_size: String(identity.epochSize),
    ...identity.facts,
  });
  const { applied } = await migrate(client, options);
  const pointers = await readPointers(client, identity.network);
  if (!pointers.has(DECODE.projection)) await setPointer(client, options);
  return [...meta.applied, ...applied];
}

/** Database of the version of `base` that is served. */
export async function servedDatabase(client: StoreClient, identity: LogIdentity): Promise<string> {
  const version = (await readPointers(client, identity.network)).get(DECODE.projection);
  return versionDatabase(identity.network, DECODE.projection, version ?? DECODE.version);
}
