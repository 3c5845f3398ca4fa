import { DECODE } from '../../../pipelines/decode.ts';
import type { RowChanges } from '../../platform/clickhouse/versions/compare-rows.ts';
import {
  checkVersion,
  readVersionSums,
  type VersionPair,
  type VersionSums,
} from '../../stages/replay/check-version.ts';
import type { BlockArchive, RestoreOptions } from '../../stages/replay/restore-blocks.ts';
import { versionDifference } from '../../stages/replay/version-difference.ts';
import { groupOf } from './base-code.ts';
import { openDeadLetters, resolveDeadLetter } from './dead-letter-list.ts';
import type { DecodeParts } from './decode.ts';
import { servedVersion } from './projection.ts';
import { type BuildWatch, type ReplaySettings, VersionBuild } from './replay-build.ts';
import { HeadFollower } from './replay-head.ts';
import { VersionLease } from './replay-lease.ts';
import { settledLetters } from './replay-letters.ts';
import { planReplay, projectionOf, type ReplayPlan, type ReplayRange } from './replay-plan.ts';
import { requireRawBlocks, restoreRawBlocks } from './replay-source.ts';
import { drop, type PointerSwitch, settleSwitch, switchTo } from './replay-switch.ts';
import type { Session } from './session.ts';

/** There is not enough room for another version. */
export class DiskSpaceError extends Error {
  override readonly name = 'DiskSpaceError';
  readonly needed: number;
  readonly free: number;
  constructor({ neededBytes, freeBytes }: Pick<ReplayPlan, 'neededBytes' | 'freeBytes'>) {
    super(`about ${neededBytes} bytes of disk are needed beside the served version, ${freeBytes} are free`);
    this.needed = neededBytes;
    this.free = freeBytes;
  }
}

/** The version that was built is not whole, and is not served. */
export class ReplayCheckError extends Error {
  override readonly name = 'ReplayCheckError';
  readonly problems: readonly string[];
  constructor(database: string, problems: readonly string[]) {
    super(`${database} is not whole: ${problems.slice(0, 5).join('; ')}`);
    this.problems = problems;
  }
}

/** What is told of a replay while it works. */
export interface ReplayWatch extends BuildWatch {
  onPlan(plan: ReplayPlan): void;
  /** Awaited: the step begins when it resolves. */
  onStep(text: string): void | Promise<void>;
}

/** What a version would change, before it is served. */
export interface ReplayOutcome {
  readonly plan: ReplayPlan;
  readonly sums: VersionSums;
  readonly changes: readonly RowChanges[];
  /** Decoding and writing alone, seconds. */
  readonly replaySeconds: number;
  /** Null where the pointer was not moved. */
  readonly switched: PointerSwitch | null;
}

export interface ReplayOrder {
  readonly projection: string;
  readonly range: ReplayRange;
  /** Where blocks are read again that the store and the log lack; every block that it has is compared. */
  readonly archive?: BlockArchive | null;
  /** Asked when the version is whole: whether it is to be served. */
  readonly accept: (outcome: Omit<ReplayOutcome, 'switched'>) => Promise<boolean>;
}

/**
 * Builds the next version beside the one that is served, checks it, says what it changes, and points answers at it.
 * Cut off anywhere, the same call goes on from there. Where `accept` says no, the version stays for the next call.
 */
export async function runReplay(
  parts: DecodeParts,
  settings: ReplaySettings,
  order: ReplayOrder,
  session: Session,
  watch: ReplayWatch,
): Promise<ReplayOutcome> {
  const projection = projectionOf(order.projection);
  const first = await planReplay(parts, order.range);
  if (first.neededBytes > first.freeBytes) throw new DiskSpaceError(first);
  const lease = await VersionLease.take(parts.bus, first.next, settings.sessionMs, session);
  try {
    await settleSwitch(parts.client, parts.identity);
    // Offsets first: what is committed by now is confirmed in the plan that is made afterwards.
    const committed = await committedOf(parts, await servedVersion(parts.client, parts.identity));
    const plan = await planReplay(parts, order.range);
    watch.onPlan(plan);
    const build = new VersionBuild(parts, projection, plan);
    if (!plan.resumes) await lease.startBehind(committed);
    await build.record('building');
    await build.prepare();
    await restoreRawBlocks(parts, rawBlocksOf(parts, build, build.to, session), order.archive ?? null);
    const started = performance.now();
    await build.replay(settings, (lane) => lease.check(lane), session.signal, watch);
    const replaySeconds = (performance.now() - started) / 1000;
    await watch.onStep('catching up with the head');
    lease.stopRenewing();
    return await finish(parts, settings, order, session, watch, build, replaySeconds);
  } finally {
    await lease.release();
  }
}

/** The head, checks, the difference, the switch. */
async function finish(
  parts: DecodeParts,
  settings: ReplaySettings,
  order: ReplayOrder,
  session: Session,
  watch: ReplayWatch,
  build: VersionBuild,
  replaySeconds: number,
): Promise<ReplayOutcome> {
  const { client, identity, bus } = parts;
  const { plan } = build;
  const head = await HeadFollower.start(parts, plan.next, settings, session.signal);
  try {
    await head.catchUp(session.signal);
    await watch.onStep('checking');
    const pair = pairOf(parts, build);
    const sums = await readVersionSums(pair);
    const problems = await checkVersion(pair, sums);
    if (problems.length > 0) throw new ReplayCheckError(build.to, problems);
    await watch.onStep('comparing');
    const outcome = { plan, sums, changes: await versionDifference(pair, sums), replaySeconds };
    if (!(await order.accept(outcome))) return { ...outcome, switched: null };
    await head.catchUp(session.signal);
    const switched = await switchTo(client, identity, plan.next);
    const letters = (await openDeadLetters(bus)).filter(({ stage }) => stage === DECODE.group);
    for (const letter of await settledLetters(client, build.to, letters))
      await resolveDeadLetter(bus, letter);
    return { ...outcome, switched };
  } finally {
    await head.close();
  }
}

/** The blocks that are going to be decoded, and whose `raw_blocks` is to have them. */
function rawBlocksOf(
  { client }: DecodeParts,
  { from, plan }: VersionBuild,
  to: string,
  { signal }: Session,
): RestoreOptions {
  return { client, from, to, ranges: plan.ranges, signal };
}

function pairOf(
  { client, identity }: DecodeParts,
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

/** Offsets that the served version has behind it, by lane. */
async function committedOf({ bus }: DecodeParts, served: number): Promise<ReadonlyMap<number, number>> {
  const lanes = (await bus.lag()).filter(
    ({ topic, group }) => topic === DECODE.topic && group === groupOf(served),
  );
  return new Map(lanes.map(({ lane, committed }) => [lane, committed]));
}

/** What the present code yields against what is stored; what is decoded for it is dropped again. */
export async function runDiff(
  parts: DecodeParts,
  settings: ReplaySettings,
  order: Omit<ReplayOrder, 'accept'>,
  session: Session,
  watch: ReplayWatch,
): Promise<{ readonly plan: ReplayPlan; readonly changes: readonly RowChanges[] }> {
  const plan = await planReplay(parts, order.range, true);
  if (plan.neededBytes > plan.freeBytes) throw new DiskSpaceError(plan);
  watch.onPlan(plan);
  // Of the history that is left out, nothing is needed.
  const scratch = { ...plan, detail: { ...plan.detail, history: plan.ranges } };
  const build = new VersionBuild(parts, projectionOf(order.projection), scratch);
  await build.record('building');
  try {
    await build.prepare();
    await requireRawBlocks(rawBlocksOf(parts, build, build.from, session));
    await build.replay(settings, async () => {}, session.signal, watch);
    await watch.onStep('comparing');
    const pair = pairOf(parts, build, plan.ranges);
    const changes = await versionDifference(pair, await readVersionSums(pair, build.projection.inputs));
    return { plan, changes };
  } finally {
    await drop(parts.client, parts.identity, {
      version: plan.next,
      codeVersion: plan.codeVersion,
      state: 'building',
      detail: {},
    });
  }
}

/** Brings a version that was served before up to the head, and points answers at it again. */
export async function runRollback(
  parts: DecodeParts,
  settings: ReplaySettings,
  version: number,
  session: Session,
): Promise<PointerSwitch> {
  const lease = await VersionLease.take(parts.bus, version, settings.sessionMs, session);
  lease.stopRenewing();
  await settleSwitch(parts.client, parts.identity);
  const head = await HeadFollower.start(parts, version, settings, session.signal);
  try {
    await head.catchUp(session.signal);
    return await switchTo(parts.client, parts.identity, version);
  } finally {
    await head.close();
    await lease.release();
  }
}
