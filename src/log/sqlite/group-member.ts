import { endOfChain, problemOfChainRange } from '../chain/chain-range.ts';
import type { LaneRight } from '../coordination/commands.ts';
import type { LaneState } from '../coordination/coordination-state.ts';
import { checkLease, requireGroup } from '../coordination/lane-rights.ts';
import type { ConsumerOptions, JournalEntry, LaneLease } from '../port.ts';
import { decide, execute } from './coordinate.ts';
import { loadCoordination } from './coordination-rows.ts';
import type { LogStore } from './log-store.ts';
import { findRun } from './read-records.ts';
import { ensureTopic, findTopic, laneEnd, readExtent } from './topics.ts';

/** A consumer as the worker knows it. */
export interface ConsumerHandle {
  readonly topic: string;
  readonly group: string;
  readonly owner: string;
  readonly sessionMs: number;
  /** Whether the group's lanes are partitions. */
  readonly isPartitioned: boolean;
  /** Generation by lane of the member's leases that it does not know to be lost. */
  readonly held: Map<number, number>;
  /** Lanes whose latest read was empty, with the requested offset: `waitForData` watches them. */
  readonly drained: Map<number, number>;
}

/** Joins the group; lanes that it has not seen start at their oldest kept offset, partitions at 0. */
export function openConsumer(store: LogStore, options: ConsumerOptions): ConsumerHandle {
  const { topic, group, owner, sessionMs, partitions } = options;
  const isPartitioned = partitions !== undefined;
  ensureTopic(store, topic, isPartitioned ? 'steps' : null);
  if (isPartitioned) execute(store, 'joinPartitions', { topic, group, partitions });
  else execute(store, 'join', { topic, group });
  return { topic, group, owner, sessionMs, isPartitioned, held: new Map(), drained: new Map() };
}

export function claimLanes(store: LogStore, consumer: ConsumerHandle): readonly LaneLease[] {
  const { sessionMs, held } = consumer;
  store.owners.hold(consumer.owner);
  const leases = execute(store, 'claim', { ...getMembership(consumer), sessionMs });
  held.clear();
  for (const { lane, generation } of leases) held.set(lane, generation);
  return leases;
}

/** Leaves the group: its lanes are free at once. */
export function releaseConsumer(store: LogStore, consumer: ConsumerHandle): void {
  execute(store, 'leave', getMembership(consumer));
  consumer.held.clear();
}

/** Records the intent of a batch; the same range again only with a higher attempt. */
export function journalBatch(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
  entry: JournalEntry,
): void {
  const right = getRight(consumer, lease);
  store.log.transaction(() => {
    const checkedAt = readLane(store, right)?.committed ?? 0;
    const problem = findProblem(store, consumer, entry, checkedAt);
    decide(store, 'journal', { ...right, entry, checkedAt, problem });
  });
}

/** The batch that was journalled and not confirmed, by this member or one before it. */
export function pendingBatch(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
): JournalEntry | null {
  const right = getRight(consumer, lease);
  return checkLease(loadCoordination(store, right), right).pending;
}

/** The batch is in the sink: the entry goes and the committed offset moves, together. */
export function confirmBatch(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
  entry: JournalEntry,
): void {
  execute(store, 'confirm', { ...getRight(consumer, lease), entry });
}

/** Moves the committed offset of a lane without a journal; forwards only, up to the published end. */
export function commitOffset(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
  next: number,
): void {
  const right = getRight(consumer, lease);
  store.log.transaction(() => {
    const end = consumer.isPartitioned
      ? endOfChain(readExtent(store, consumer.topic))
      : laneEnd(store, consumer.topic, lease.lane);
    decide(store, 'commit', { ...right, next, end });
  });
}

/**
 * Problem of a batch that begins after the committed offset, or null: it must start at the end of the last one and stay
 * within one run, so that nothing is skipped or mixed.
 */
function findProblem(
  store: LogStore,
  { topic, isPartitioned }: ConsumerHandle,
  entry: JournalEntry,
  committed: number,
): string | null {
  const { lane, from, next, epoch } = entry;
  if (isPartitioned) return problemOfChainRange(entry, committed, readExtent(store, topic));
  if (findTopic(store, topic)?.kind === 'records') {
    if (from !== committed) return `a batch from offset ${committed}`;
    return next > from && next <= laneEnd(store, topic, lane) ? null : 'a range of published offsets';
  }
  const run = findRun(store, topic, lane, committed);
  if (!run) return `nothing: no record at or after offset ${committed}`;
  const first = Math.max(committed, run.first);
  if (from !== committed && from !== first) return `a batch from offset ${first}`;
  if (epoch !== run.epoch || next <= first || next > run.next)
    return `a range within ${first}..${run.next} of epoch ${run.epoch}`;
  return null;
}

function readLane(store: LogStore, { topic, group, lane }: LaneRight): LaneState | undefined {
  return requireGroup(loadCoordination(store, { topic, group, lane }), topic, group).lanes[lane];
}

function getRight({ topic, group, owner }: ConsumerHandle, { lane, generation }: LaneLease): LaneRight {
  return { topic, group, owner, lane, generation };
}

function getMembership({ topic, group, owner, held }: ConsumerHandle) {
  return { topic, group, owner, held: [...held] };
}
