import { ofShards } from '../../platform/clickhouse/cluster-scope.ts';
import { COLD_DISKS } from '../../platform/clickhouse/cold-volume.ts';
import { readTableSizes } from '../../platform/clickhouse/table-sizes.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { EngineParts } from '../engine-parts.ts';
import { getPartitions, inputLandings, type TableProjection } from '../projection/projection.ts';
import type { HistorySize, StoreDatabase } from '../projection/stored-input.ts';
import { intersectRanges, type PositionRange } from '../ranges/position-ranges.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { readCodeVersion, servedDatabase, servedVersion } from '../versions/prepare-store.ts';
import { listVersions } from '../versions/projection-pointer.ts';
import { getDatabase } from '../versions/version-names.ts';
import { getFingerprint, readVersionSchema } from '../versions/version-projection.ts';
import { pointerHistory, readVersionRecords, type VersionRecord } from '../versions/version-records.ts';
import type { VersionSchema } from '../versions/version-schema.ts';

/** Positions that are decoded; null: from the first, to the last. */
export interface ReplayRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Plan of a build, kept for its resumption. */
export interface BuildDetail extends ReplayRange {
  /** Positions confirmed at its start: later ones come through the log. */
  readonly history: readonly PositionRange[];
  /** Whether the rows that need no decoding are there. */
  readonly cloned: boolean;
  /** To be dropped, not to be served. */
  readonly scratch: boolean;
}

export interface ReplayPlan {
  readonly served: number;
  readonly servedCode: number;
  readonly codeVersion: number;
  readonly next: number;
  /** A build of before that this one goes on with. */
  readonly resumes: boolean;
  readonly detail: BuildDetail;
  /** Schema of the resumed version; null before its tables are made. */
  readonly schema: VersionSchema | null;
  /** Decoded ranges. */
  readonly ranges: readonly PositionRange[];
  readonly size: HistorySize;
  /** Database that keeps the records which are decoded. */
  readonly inputDatabase: string;
  /** Bytes of disk: the estimated need in addition to the served version, and the free space. */
  readonly neededBytes: number;
  readonly freeBytes: number;
}

/** A build with other options is in progress. */
export class OtherBuildError extends ConflictError {
  constructor(version: number, built: string, requested: string) {
    super(
      `version ${version} is being built for ${built}, this is ${requested}: finish it, or \`tonhouse replay prune\``,
    );
  }
}

/** State moves from step to step: all steps after a changed one change too. */
export class ChainReplayError extends ConflictError {
  constructor(projection: string) {
    super(
      `${projection} carries state along the chain: all steps after the first one are built again, so no last step can be given`,
    );
  }
}

/** Rows of the rest would lack what the new tables have. */
export class PartialSchemaChangeError extends ConflictError {
  constructor(database: string) {
    super(
      `${database} was made with other tables than this release makes: replay the whole chain, not a part of it`,
    );
  }
}

const describe = (code: number, { from, to }: ReplayRange) =>
  `decoder ${code}, ${from ?? 'the first'} to ${to ?? 'the last'}`;

/** Plans a replay from the content of the store; changes nothing. */
export async function planReplay(
  parts: EngineParts,
  range: ReplayRange,
  scratch = false,
): Promise<ReplayPlan> {
  const { client, identity, projection } = parts;
  const { network } = identity;
  const { name, version: codeVersion } = projection;
  if (getPartitions(projection) !== null && range.to !== null && !scratch) throw new ChainReplayError(name);
  const served = await servedVersion(client, identity, projection);
  const stored = { client, database: getDatabase(identity, projection, served) };
  const records = await readVersionRecords(client, network, name);
  const pointed = new Set(await pointerHistory(client, network, name));
  const build = scratch ? undefined : records.find((record) => isUnfinished(record, pointed));
  const versions = await listVersions(client, network, name);
  const built = build && readBuildDetail(build);
  if (build && built) {
    const [was, is] = [describe(build.codeVersion, built), describe(codeVersion, range)];
    if (was !== is) throw new OtherBuildError(build.version, was, is);
  }
  const detail: BuildDetail = built ?? {
    ...range,
    history: await readHistory(parts, stored),
    cloned: false,
    scratch,
  };
  const ranges = decodedRanges(detail);
  const isPart = detail.from !== null || detail.to !== null;
  if (isPart && !scratch && !(await hasOwnSchema(parts, served)))
    throw new PartialSchemaChangeError(stored.database);
  const input = await inputStore(parts);
  return {
    served,
    servedCode: await readCodeVersion(client, identity, projection, served),
    codeVersion,
    next: build?.version ?? Math.max(0, ...versions, ...records.map(({ version }) => version)) + 1,
    resumes: build !== undefined,
    detail,
    schema: build?.schema ?? null,
    ranges,
    size: await projection.input.size(input, ranges),
    inputDatabase: input.database,
    ...(await diskNeed(stored, projection, detail)),
  };
}

/**
 * Ranges to decode: the served version's confirmed ranges. In chain order a version may have no predecessor: then the
 * records' own confirmed ranges.
 */
async function readHistory(parts: EngineParts, served: StoreDatabase): Promise<PositionRange[]> {
  const store = getPartitions(parts.projection) === null ? served : await inputStore(parts);
  return readIslands(store.client, store.database);
}

/** Whether a version has the tables that this code makes; of one that wrote nothing down, it is taken to. */
async function hasOwnSchema(parts: EngineParts, version: number): Promise<boolean> {
  const schema = await readVersionSchema({ ...parts, version });
  return !schema || schema.fingerprint === getFingerprint(parts.projection);
}

/** Database that keeps the records which the projection is made of. */
export async function inputStore({ client, identity, projection }: EngineParts): Promise<StoreDatabase> {
  return { client, database: await servedDatabase(client, identity, { name: projection.input.projection }) };
}

/** The plan of a build. Its rows are compared again: the differences of an earlier run are left out. */
function readBuildDetail({ detail: { difference: _, ...detail } }: VersionRecord): BuildDetail {
  return detail as unknown as BuildDetail;
}

/** A build that was cut off before anything pointed at it. */
function isUnfinished({ version, state, detail }: VersionRecord, pointed: ReadonlySet<number>): boolean {
  return !detail.scratch && state === 'building' && !pointed.has(version);
}

/** Part of the history that is decoded. */
export function decodedRanges({ history, from, to }: BuildDetail): PositionRange[] {
  return intersectRanges(history, [{ first: from ?? 0, last: to ?? 2 ** 32 - 1 }]);
}

/** Blocks are linked, not copied; the decoded share of the other tables is written again and merged once. */
async function diskNeed(
  { client, database }: StoreDatabase,
  projection: TableProjection,
  detail: BuildDetail,
) {
  const sizes = await readTableSizes(client, database);
  const inputs = inputLandings(projection);
  const own = sizes
    .filter(({ table }) => !inputs.includes(table))
    .reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0);
  const count = (ranges: readonly PositionRange[]) =>
    ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const share = count(decodedRanges(detail)) / Math.max(1, count(detail.history));
  // Shards hold about as much each: the fullest one decides.
  const { rows } = await client.queryRows<[string]>(
    `SELECT min(free_space) * uniqExact(shardNum()) FROM ${ofShards(client, 'system.disks')}
     WHERE free_space > 0 AND name NOT IN ${COLD_DISKS}`,
    { route: 'replay/disk' },
  );
  return { neededBytes: Math.ceil(own * share * MERGING), freeBytes: Number(rows[0]?.[0] ?? 0) };
}

/** Old parts stay next to their merged part until they are removed. */
const MERGING = 1.5;
