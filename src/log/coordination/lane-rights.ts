import { FencedError, InvalidRequestError } from '../errors.ts';
import type { LaneRight } from './commands.ts';
import { type CoordinationState, type GroupState, groupKey, type LaneState } from './coordination-state.ts';

export const laneResource = ({ topic, group, lane }: Pick<LaneRight, 'topic' | 'group' | 'lane'>) =>
  `lane ${lane} of ${topic} for ${group}`;

/** A group that joined; every command about lanes comes after that. */
export function requireGroup(state: CoordinationState, topic: string, group: string): GroupState {
  const found = state.groups.get(groupKey(topic, group));
  if (!found) throw new InvalidRequestError(`group ${group} of ${topic}`, 'a group that joined', 'none');
  return found;
}

/** The lane, if the lease is still the newest one. A lapsed lease that no other member took may finish. */
export function checkLease(state: CoordinationState, right: LaneRight): LaneState {
  const lane = requireGroup(state, right.topic, right.group).lanes[right.lane];
  if (lane?.owner === right.owner && lane.generation === right.generation) return lane;
  throw fenced(right, lane);
}

/** As `checkLease`, for starting something new: refuses a lease that lapsed or was taken back as well. */
export function checkLiveLease(state: CoordinationState, right: LaneRight): LaneState {
  const lane = checkLease(state, right);
  if (lane.expiresAt <= state.now || lane.revoked) throw fenced(right, lane);
  return lane;
}

export function freeLane(lane: LaneState): void {
  lane.owner = null;
  lane.expiresAt = 0;
  lane.revoked = false;
}

function fenced(right: LaneRight, lane: LaneState | undefined): FencedError {
  return new FencedError(laneResource(right), right.generation, lane?.owner ? lane.generation : null);
}
