import { readTableSizes } from '../../platform/clickhouse/table-sizes.ts';
import { CachedRead } from '../../platform/observability/metrics/cached-read.ts';
import { getPartitions } from '../projection/projection.ts';
import { readStoredDifference, type StoredDifference } from '../replay/stored-difference.ts';
import { presentVersions, type StoredProjection } from '../replay/switch.ts';
import { readCommonIslands, readIslands } from '../versions/confirmed-islands.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase } from '../versions/version-names.ts';

const AGE_MS = 15_000;

/** A version that a replay builds or has built. */
export interface ReplayProgress {
  readonly projection: string;
  readonly version: number;
  /** Version of its decoder. */
  readonly code: number;
  /** True if answers come from it. Of served versions only those with differences are listed. */
  readonly is_served: boolean;
  /** Confirmed steps of the version, and of the served one. */
  readonly steps: number;
  readonly of: number;
  /** Its differences from the version that was served before; null until it is complete. */
  readonly differences: StoredDifference | null;
}

/** Facts about the index that cost statements: `/healthz` shows them. */
export interface IndexFacts {
  /** Bytes on disk of the served versions and of those that are being built, compressed. */
  readonly store_bytes: number;
  readonly replays: readonly ReplayProgress[];
}

/** Reads the facts about some projections. They are cached for 15 seconds. */
export function cacheIndexFacts(projections: readonly StoredProjection[]): () => Promise<IndexFacts> {
  const cached = new CachedRead(() => readIndexFacts(projections), { maxAgeMs: AGE_MS });
  return () => cached.value();
}

async function readIndexFacts(projections: readonly StoredProjection[]): Promise<IndexFacts> {
  const found = await Promise.all(projections.map(readProjection));
  return {
    store_bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    replays: found.flatMap(({ replays }) => replays),
  };
}

async function readProjection(stored: StoredProjection) {
  const { client, identity, projection } = stored;
  const served = await servedVersion(client, identity, projection);
  const shown = (await presentVersions(stored)).filter(
    ({ state, version, detail }) =>
      (state === 'building' && version > served) || (version === served && readStoredDifference(detail)),
  );
  const versions = new Set([served, ...shown.map(({ version }) => version)]);
  const databases = [...versions].map((version) => getDatabase(identity, projection, version));
  const sizes = (await Promise.all(databases.map((database) => readTableSizes(client, database)))).flat();
  const of = shown.length === 0 ? 0 : await countSteps(stored, served);
  const replays: ReplayProgress[] = [];
  for (const { version, codeVersion: code, detail } of shown)
    replays.push({
      projection: projection.name,
      version,
      code,
      is_served: version === served,
      steps: version === served ? of : await countSteps(stored, version),
      of,
      differences: readStoredDifference(detail),
    });
  return { bytes: sizes.reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0), replays };
}

/** Confirmed steps of a version, of every partition. */
async function countSteps(
  { client, identity, projection }: StoredProjection,
  version: number,
): Promise<number> {
  const database = getDatabase(identity, projection, version);
  const partitions = getPartitions(projection);
  const islands = await (partitions === null
    ? readIslands(client, database)
    : readCommonIslands(client, database, partitions));
  return islands.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
