import type { RunScope } from '../engine-parts.ts';
import { getPartitions } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { presentVersions, type StoredProjection } from '../replay/switch.ts';
import { readCommonIslands } from '../versions/confirmed-islands.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase } from '../versions/version-names.ts';
import type { VersionState } from '../versions/version-records.ts';
import { readVisible } from '../watermark/visible-span.ts';

/** The store's versions of a projection against the code's. */
export interface ProjectionReport {
  readonly projection: string;
  readonly served_version: number;
  /** Version of the decoder that built what is served. */
  readonly served_code: number;
  /** Version of this checkout's decoder. */
  readonly code: number;
  /** Whether the served version was built by another decoder than this one. */
  readonly needs_replay: boolean;
  /** Confirmed range of the served version that holds the head; in chain order, of every partition. Null: none is. */
  readonly visible: PositionRange | null;
  /** Figures of the served version from the projection. */
  readonly figures?: Readonly<Record<string, number>>;
  readonly versions: readonly {
    readonly version: number;
    readonly code: number;
    readonly state: VersionState;
  }[];
}

export async function projectionReport(stored: StoredProjection): Promise<ProjectionReport> {
  const { client, identity, projection } = stored;
  const { name, version: code } = projection;
  const served = await servedVersion(client, identity, projection);
  const versions = await presentVersions(stored);
  const servedCode = versions.find(({ version }) => version === served)?.codeVersion ?? served;
  return {
    projection: name,
    served_version: served,
    served_code: servedCode,
    code,
    needs_replay: servedCode !== code,
    visible: await readVisibleRange(stored, served),
    ...(projection.figures && {
      figures: await projection.figures({
        client,
        database: getDatabase(identity, projection, served),
        network: identity.network,
      }),
    }),
    versions: versions.map(({ version, codeVersion, state }) => ({ version, code: codeVersion, state })),
  };
}

async function readVisibleRange(
  { client, identity, projection }: StoredProjection,
  served: number,
): Promise<PositionRange | null> {
  const database = getDatabase(identity, projection, served);
  const partitions = getPartitions(projection);
  if (partitions === null) return readVisible(client, database, identity.facts.continuity);
  return (await readCommonIslands(client, database, partitions)).at(-1) ?? null;
}

/** Logs that the served version was built by another decoder, with the command to run; reading continues. */
export async function sayWhatNeedsReplay(
  stored: StoredProjection,
  { log }: Pick<RunScope, 'log'>,
): Promise<void> {
  const { projection, served_version, served_code, code, needs_replay } = await projectionReport(stored);
  if (!needs_replay) return;
  log.warn(
    { projection, version: served_version, builtBy: served_code, code },
    `another decoder built the served version: \`tonhouse replay ${projection}\` builds it again while answers go on`,
  );
}
