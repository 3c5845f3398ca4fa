/**
 * Shares the lanes of a topic among the live members of a group. There is no leader. Each claim renews what the member
 * holds, returns what exceeds its share, and takes free lanes up to its share. So a new member gets lanes as others
 * claim, a dead member's lanes lapse, and no lane moves without need.
 *
 * A lane with a journalled batch is not taken during the insert: it is marked as revoked, disappears from the answer
 * and cannot start another batch. Confirming the batch, or the lease's end, frees it.
 */
import { checkPartitions } from '../chain/check-partitions.ts';
import { InvalidRequestError } from '../errors.ts';
import type { LaneLease } from '../port.ts';
import type { Commands } from './commands.ts';
import { type CoordinationState, type GroupState, groupKey, type LaneState } from './coordination-state.ts';
import { freeLane, requireGroup } from './lane-rights.ts';

/** Registers the group; lanes that it has not seen start at their oldest kept offset. */
export function applyJoin(state: CoordinationState, { topic, group }: Commands['join']['args']): undefined {
  const known = state.topics.get(topic);
  if (!known) throw new InvalidRequestError(`group ${group}`, `the topic ${topic}`, 'none');
  const key = groupKey(topic, group);
  checkPartitions({ topic, group }, state.groups.get(key)?.partitions);
  if (state.groups.has(key)) return;
  state.groups.set(key, { topic, group, members: new Map(), lanes: known.low.map(newLane) });
}

/** Registers a group with partitions, which start at 0. */
export function applyJoinPartitions(
  state: CoordinationState,
  { topic, group, partitions }: Commands['joinPartitions']['args'],
): undefined {
  const known = state.topics.get(topic);
  if (known?.kind !== 'steps')
    throw new InvalidRequestError(`group ${group}`, `the topic ${topic}`, 'none of steps');
  const key = groupKey(topic, group);
  const joined = state.groups.get(key);
  checkPartitions({ topic, group, partitions }, joined ? joined.partitions : partitions);
  if (joined) return;
  const lanes = Array.from({ length: partitions }, (_, partition) => newLane(0, partition));
  state.groups.set(key, { topic, group, partitions, members: new Map(), lanes });
}

const newLane = (committed: number, lane: number): LaneState => ({
  lane,
  committed,
  generation: 0,
  owner: null,
  expiresAt: 0,
  revoked: false,
  pending: null,
});

type Claim = Commands['claim']['args'];

export function applyClaim(state: CoordinationState, claim: Claim): readonly LaneLease[] {
  const { now } = state;
  const group = requireGroup(state, claim.topic, claim.group);
  renewMembership(group, claim, now);
  const mine = stillHeld(group, claim);
  const share = fairShare(group, claim.owner, now);
  for (const lane of mine.slice(share)) giveBack(lane);
  const retained = mine.slice(0, share);
  for (const lane of retained) lane.expiresAt = now + claim.sessionMs;
  const free = group.lanes.filter((lane) => !mine.includes(lane) && isFree(lane, claim.owner, now));
  const taken = free.slice(0, Math.max(0, share - mine.length));
  for (const lane of taken) take(lane, claim, now);
  return group.lanes
    .filter((lane) => retained.includes(lane) || taken.includes(lane))
    .map(({ lane, committed, generation }) => ({ lane, committed, generation, owner: claim.owner }));
}

function renewMembership({ members }: GroupState, { owner, sessionMs }: Claim, now: number): void {
  for (const [member, expiresAt] of members) if (expiresAt <= now) members.delete(member);
  members.set(owner, now + sessionMs);
}

/** The lanes that are this member's by the leases that it knows of. */
function stillHeld({ lanes }: GroupState, { owner, held }: Claim): LaneState[] {
  const generations = new Map(held);
  return lanes.filter(
    ({ lane, generation, owner: holder, revoked }) =>
      holder === owner && generation === generations.get(lane) && !revoked,
  );
}

/** Free, lapsed, or left by an earlier member of the same name. */
function isFree({ owner, expiresAt, revoked }: LaneState, self: string, now: number): boolean {
  return owner === null || expiresAt <= now || (owner === self && !revoked);
}

/**
 * Lanes by members, the remainder to those who hold the most already (then by name): a full share is never moved
 * without need.
 */
function fairShare({ members, lanes }: GroupState, self: string, now: number): number {
  const holds = (member: string) =>
    lanes.filter(({ owner, expiresAt, revoked }) => owner === member && expiresAt > now && !revoked).length;
  const ranked = [...members.keys()].sort((a, b) => holds(b) - holds(a) || (a < b ? -1 : 1));
  const remainder = lanes.length % ranked.length;
  return Math.floor(lanes.length / ranked.length) + (ranked.indexOf(self) < remainder ? 1 : 0);
}

function giveBack(lane: LaneState): void {
  if (lane.pending) lane.revoked = true;
  else freeLane(lane);
}

function take(lane: LaneState, { owner, sessionMs }: Claim, now: number): void {
  lane.owner = owner;
  lane.generation++;
  lane.expiresAt = now + sessionMs;
  lane.revoked = false;
}

/** Leaves the group: its lanes are free at once. */
export function applyLeave(
  state: CoordinationState,
  { topic, group, owner, held }: Commands['leave']['args'],
): undefined {
  const { members, lanes } = requireGroup(state, topic, group);
  members.delete(owner);
  const generations = new Map(held);
  for (const lane of lanes) {
    const own = lane.revoked || lane.generation === generations.get(lane.lane);
    if (lane.owner === owner && own) freeLane(lane);
  }
}
