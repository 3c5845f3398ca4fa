import { DECODE } from '../../../pipelines/decode.ts';
import { PROJECTIONS, type Projection } from '../../../pipelines/projections.ts';
import { readTableSizes } from '../../platform/clickhouse/table-sizes.ts';
import { readIslands } from '../../platform/clickhouse/versions/confirmed-islands.ts';
import { intersectRanges, type PositionRange } from '../../platform/clickhouse/versions/position-ranges.ts';
import { listVersions } from '../../platform/clickhouse/versions/projection-pointer.ts';
import {
  pointerHistory,
  readVersionRecords,
  type VersionRecord,
} from '../../platform/clickhouse/versions/version-records.ts';
import { UsageError } from '../../platform/config/usage-error.ts';
import { type HistorySize, readHistorySize } from '../../stages/replay/stored-history.ts';
import { BASE_CODE } from './base-code.ts';
import type { DecodeParts } from './decode.ts';
import { baseDatabase, codeVersionOf, servedVersion } from './projection.ts';

/** Which positions are decoded again; null: from the first, to the last. */
export interface ReplayRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** What a build must know again after it was cut off. */
export interface BuildDetail extends ReplayRange {
  /** Positions that were confirmed when it began: what comes later comes through the log. */
  readonly history: readonly PositionRange[];
  /** What needs no decoding is there. */
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
  /** What is decoded. */
  readonly ranges: readonly PositionRange[];
  readonly size: HistorySize;
  /** Bytes of disk: what is estimated to be needed beside the version that is served, and what is free. */
  readonly neededBytes: number;
  readonly freeBytes: number;
}

/** A projection that does not exist. */
export class UnknownProjectionError extends UsageError {
  override readonly name = 'UnknownProjectionError';
  constructor(name: string) {
    super(`no projection ${JSON.stringify(name)}: there are ${Object.keys(PROJECTIONS).join(', ')}`);
  }
}

/** A build is under way for something else than is asked for now. */
export class OtherBuildError extends Error {
  override readonly name = 'OtherBuildError';
  constructor(version: number, built: string, asked: string) {
    super(
      `version ${version} is being built for ${built}, this is ${asked}: finish it, or \`tonhouse replay prune\``,
    );
  }
}

export function projectionOf(name: string): Projection {
  const found = PROJECTIONS[name];
  if (!found) throw new UnknownProjectionError(name);
  return found;
}

const describe = (code: number, { from, to }: ReplayRange) =>
  `decoder ${code}, ${from ?? 'the first'} to ${to ?? 'the last'}`;

/** What a replay would do, by what the store holds; changes nothing. */
export async function planReplay(
  { client, identity, code = BASE_CODE }: DecodeParts,
  range: ReplayRange,
  scratch = false,
): Promise<ReplayPlan> {
  const { network } = identity;
  const served = await servedVersion(client, identity);
  const records = await readVersionRecords(client, network, DECODE.projection);
  const pointed = new Set(await pointerHistory(client, network, DECODE.projection));
  const build = scratch ? undefined : records.find((record) => isUnfinished(record, pointed));
  const versions = await listVersions(client, network, DECODE.projection);
  const built = build?.detail as BuildDetail | undefined;
  if (build && built) {
    const [was, is] = [describe(build.codeVersion, built), describe(code.version, range)];
    if (was !== is) throw new OtherBuildError(build.version, was, is);
  }
  const detail: BuildDetail = built ?? {
    ...range,
    history: await readIslands(client, baseDatabase(identity, served)),
    cloned: false,
    scratch,
  };
  const ranges = decodedRanges(detail);
  return {
    served,
    servedCode: await codeVersionOf(client, identity, served),
    codeVersion: code.version,
    next: build?.version ?? Math.max(0, ...versions, ...records.map(({ version }) => version)) + 1,
    resumes: build !== undefined,
    detail,
    ranges,
    size: await readHistorySize(client, baseDatabase(identity, served), ranges),
    ...(await diskNeed(client, baseDatabase(identity, served), detail)),
  };
}

/** A build that was cut off before anything pointed at it. */
function isUnfinished({ version, state, detail }: VersionRecord, pointed: ReadonlySet<number>): boolean {
  return !detail.scratch && state === 'building' && !pointed.has(version);
}

/** What of the history is decoded again. */
export function decodedRanges({ history, from, to }: BuildDetail): PositionRange[] {
  return intersectRanges(history, [{ first: from ?? 0, last: to ?? 2 ** 32 - 1 }]);
}

/** Blocks are linked, not copied; of the other tables the decoded share is written anew, and merged once. */
async function diskNeed(client: DecodeParts['client'], database: string, detail: BuildDetail) {
  const sizes = await readTableSizes(client, database);
  const inputs = PROJECTIONS[DECODE.projection]?.inputs ?? [];
  const own = sizes
    .filter(({ table }) => !inputs.includes(table))
    .reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0);
  const count = (ranges: readonly PositionRange[]) =>
    ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const share = count(decodedRanges(detail)) / Math.max(1, count(detail.history));
  const { rows } = await client.queryRows<[string]>(
    'SELECT min(free_space) FROM system.disks WHERE free_space > 0',
    { route: 'replay/disk' },
  );
  return { neededBytes: Math.ceil(own * share * MERGING), freeBytes: Number(rows[0]?.[0] ?? 0) };
}

/** Parts stand beside the one that they are merged into until they are removed. */
const MERGING = 1.5;
