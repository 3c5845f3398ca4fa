import { toOffset } from '../../log/port.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { openDeadLetters, resolveDeadLetter } from '../dead-letters/dead-letter-list.ts';
import type { EngineParts, RunScope } from '../engine-parts.ts';
import { getPartitions, inputLandings } from '../projection/projection.ts';
import type { RecordArchive, RestoreOptions } from '../projection/stored-input.ts';
import type { VersionPair, VersionSums } from '../projection/version-pair.ts';
import { intersectRanges } from '../ranges/position-ranges.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getGroup } from '../versions/version-names.ts';
import { type BuildWatch, type ReplaySettings, VersionBuild } from './build.ts';
import { checkVersion, readVersionSums } from './check-version.ts';
import { settledDeadLetters } from './dead-letter-blocks.ts';
import { HeadFollower } from './head.ts';
import type { ReplayFence } from './history.ts';
import { VersionLease } from './lease.ts';
import { planReplay, type ReplayPlan, type ReplayRange } from './plan.ts';
import { requireStored, restoreInput } from './restore-input.ts';
import { storedDifference } from './stored-difference.ts';
import { drop, type PointerSwitch, settleSwitch, switchTo } from './switch.ts';
import { type VersionDifference, versionDifference } from './version-difference.ts';

/** There is not enough room for another version. */
export class DiskSpaceError extends DataError {
  readonly needed: number;
  readonly free: number;
  constructor({ neededBytes, freeBytes }: Pick<ReplayPlan, 'neededBytes' | 'freeBytes'>) {
    super(
      `about ${neededBytes} bytes of disk are needed in addition to the served version, ${freeBytes} are free`,
    );
    this.needed = neededBytes;
    this.free = freeBytes;
  }
}

/** The version that was built is not whole, and is not served. */
export class ReplayCheckError extends DataError {
  readonly problems: readonly string[];
  constructor(database: string, problems: readonly string[]) {
    super(`${database} is not whole: ${problems.slice(0, 5).join('; ')}`);
    this.problems = problems;
  }
}

/** Events of a replay. */
export interface ReplayWatch extends BuildWatch {
  onPlan(plan: ReplayPlan): void;
  /** Awaited: the step begins when it resolves. */
  onStep(text: string): void | Promise<void>;
}

/** Differences of a version before it is served. */
export interface ReplayOutcome extends VersionDifference {
  readonly plan: ReplayPlan;
  readonly sums: VersionSums;
  /** Only decoding and writing, seconds. */
  readonly replaySeconds: number;
  /** Null if the pointer was not moved. */
  readonly switched: PointerSwitch | null;
}

/** A projection, and the process that replays it. */
export interface ReplayRun {
  readonly parts: EngineParts;
  readonly settings: ReplaySettings;
  readonly scope: RunScope;
  readonly watch: ReplayWatch;
}

/** Extent of a replay, and who decides whether its outcome is served. */
export interface ReplayOrder {
  readonly range: ReplayRange;
  /** Archive of blocks that the store and the log lack; every block of it is compared. */
  readonly archive?: RecordArchive | null;
  /** Asked when the version is whole: whether it is to be served. */
  readonly accept: (outcome: Omit<ReplayOutcome, 'switched'>) => Promise<boolean>;
}

/** A version that only this process knows of. */
const NO_FENCE: ReplayFence = { check: async () => {}, left: () => Number.POSITIVE_INFINITY };

/**
 * Builds the next version next to the served one, checks it, reports the differences, and points answers at it. After
 * an interruption the same call continues. If `accept` refuses, the version stays for the next call.
 */
export async function runReplay(run: ReplayRun, order: ReplayOrder): Promise<ReplayOutcome> {
  const { parts, settings, scope, watch } = run;
  const first = await planReplay(parts, order.range);
  if (first.neededBytes > first.freeBytes) throw new DiskSpaceError(first);
  const lease = await VersionLease.take(parts, first.next, settings.sessionMs, scope);
  try {
    await settleSwitch(parts);
    // Offsets first: everything committed by now is confirmed in the later plan.
    const committed = await readCommitted(
      parts,
      await servedVersion(parts.client, parts.identity, parts.projection),
    );
    const plan = await planReplay(parts, order.range);
    watch.onPlan(plan);
    const build = new VersionBuild(parts, plan);
    if (!plan.resumes) await lease.startBehind(getStart(plan, parts) ?? committed);
    await build.record('building');
    await build.prepare();
    await restoreInput(
      parts,
      buildRestoreOptions(parts, build, getInputDatabase(build, build.to), scope),
      order.archive ?? null,
    );
    const started = performance.now();
    await build.replay(settings, lease, scope.signal, watch);
    const replaySeconds = (performance.now() - started) / 1000;
    await watch.onStep('merging');
    await build.resumeMerges(scope.signal);
    await watch.onStep('catching up with the head');
    lease.stopRenewing();
    return await finish(run, order, build, replaySeconds);
  } finally {
    await lease.release();
  }
}

/** In chain order the head begins after the history; null if lanes continue after the served version's lanes. */
function getStart({ detail }: ReplayPlan, { projection }: EngineParts): ReadonlyMap<number, number> | null {
  const partitions = getPartitions(projection);
  const last = detail.history.at(-1)?.last;
  if (partitions === null || last === undefined) return null;
  return new Map(Array.from({ length: partitions }, (_, partition) => [partition, toOffset(last + 1)]));
}

/** The head, checks, the difference, the switch. */
async function finish(
  { parts, settings, scope, watch }: ReplayRun,
  order: ReplayOrder,
  build: VersionBuild,
  replaySeconds: number,
): Promise<ReplayOutcome> {
  const { client, bus, projection } = parts;
  const { plan } = build;
  const head = await HeadFollower.start(parts, plan.next, settings, scope.signal);
  try {
    await head.catchUp(scope.signal);
    await watch.onStep('checking');
    const pair = buildPair(parts, build);
    const sums = await readVersionSums(pair);
    const problems = await checkVersion(pair, sums);
    if (problems.length > 0) throw new ReplayCheckError(build.to, problems);
    await watch.onStep('comparing');
    const outcome = { plan, sums, ...(await versionDifference(pair, sums)), replaySeconds };
    await build.recordDifference(storedDifference(outcome, plan.served));
    if (!(await order.accept(outcome))) return { ...outcome, switched: null };
    await head.catchUp(scope.signal);
    const switched = await switchTo(parts, plan.next);
    const deadLetters = (await openDeadLetters(bus)).filter(({ stage }) => stage === projection.group);
    const input = { client, database: getInputDatabase(build, build.to) };
    for (const deadLetter of await settledDeadLetters(input, projection, deadLetters))
      await resolveDeadLetter(bus, deadLetter);
    return { ...outcome, switched };
  } finally {
    await head.close();
  }
}

/** The database with the records that a version is made of: its own, or that of another projection. */
function getInputDatabase({ projection, inputFrom }: VersionBuild, own: string): string {
  return inputLandings(projection).length > 0 ? own : inputFrom;
}

/** The blocks that are going to be decoded, and whose `raw_blocks` is to have them. */
function buildRestoreOptions(
  { client }: EngineParts,
  { inputFrom: from, plan }: VersionBuild,
  to: string,
  { signal }: RunScope,
): RestoreOptions {
  return { client, from, to, ranges: plan.ranges, signal };
}

function buildPair(
  { client, identity }: EngineParts,
  build: VersionBuild,
  ranges = build.plan.detail.history,
): VersionPair {
  return {
    client,
    projection: build.projection,
    from: build.from,
    to: build.to,
    ranges,
    epochSize: identity.epochSize,
    isChain: identity.facts.continuity !== 'isolated',
  };
}

/** Offsets that the served version has passed, by lane. */
async function readCommitted(
  { bus, projection }: EngineParts,
  served: number,
): Promise<ReadonlyMap<number, number>> {
  const lanes = (await bus.lag()).filter(
    ({ topic, group }) => topic === projection.reads && group === getGroup(projection, served),
  );
  return new Map(lanes.map(({ lane, committed }) => [lane, committed]));
}

/** Compares the output of this code with the stored rows; the decoded rows are dropped again. */
export async function runDiff(
  { parts, settings, scope, watch }: ReplayRun,
  order: Omit<ReplayOrder, 'accept'>,
): Promise<{ readonly plan: ReplayPlan } & VersionDifference> {
  const plan = await planReplay(parts, order.range, true);
  if (plan.neededBytes > plan.freeBytes) throw new DiskSpaceError(plan);
  watch.onPlan(plan);
  const scratch = { ...plan, detail: { ...plan.detail, history: scratchHistory(parts, plan) } };
  const build = new VersionBuild(parts, scratch);
  await build.record('building');
  try {
    await build.prepare();
    await requireStored(parts, buildRestoreOptions(parts, build, getInputDatabase(build, build.from), scope));
    await build.replay(settings, NO_FENCE, scope.signal, watch);
    await watch.onStep('comparing');
    const pair = buildPair(parts, build, plan.ranges);
    const sums = await readVersionSums(pair, inputLandings(build.projection));
    return { plan, ...(await versionDifference(pair, sums)) };
  } finally {
    await drop(parts, {
      version: plan.next,
      codeVersion: plan.codeVersion,
      state: 'building',
      detail: {},
      schema: null,
    });
  }
}

/** Ranges of a scratch build; in chain order with all history before them: its state is carried on. */
function scratchHistory({ projection }: EngineParts, { detail, ranges }: ReplayPlan) {
  const last = ranges.at(-1)?.last;
  if (getPartitions(projection) === null || last === undefined) return ranges;
  return intersectRanges(detail.history, [{ first: 0, last }]);
}

/** Brings a version that was served before up to the head, and points answers at it again. */
export async function runRollback(
  parts: EngineParts,
  settings: ReplaySettings,
  version: number,
  scope: RunScope,
): Promise<PointerSwitch> {
  const lease = await VersionLease.take(parts, version, settings.sessionMs, scope);
  lease.stopRenewing();
  await settleSwitch(parts);
  const head = await HeadFollower.start(parts, version, settings, scope.signal);
  try {
    await head.catchUp(scope.signal);
    return await switchTo(parts, version);
  } finally {
    await head.close();
    await lease.release();
  }
}
