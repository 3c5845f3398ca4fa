import { FencedError } from '../errors.ts';
import type { LaneLease } from '../port.ts';
import type { LogStore } from './log-store.ts';

/** A consumer as the worker knows it. `held` are the leases it was given and has not been told to be lost. */
export interface ConsumerHandle {
  readonly topic: string;
  readonly group: string;
  readonly owner: string;
  readonly sessionMs: number;
  readonly held: Map<number, LaneLease>;
  /** Lanes whose latest read came back empty, with the offset asked for: what `waitForData` watches. */
  readonly drained: Map<number, number>;
}

/** A lane of a group as it is recorded. */
export interface LaneRow {
  readonly lane: number;
  readonly committed: number;
  readonly generation: number;
  readonly owner: string | null;
  readonly expires_at: number;
  /** 1: taken back for another member while a batch was under way; ends with that batch or with the lease. */
  readonly revoked: number;
}

export const laneResource = ({ topic, group }: ConsumerHandle, lane: number) =>
  `lane ${lane} of ${topic} for ${group}`;

export function readLane(
  { log }: LogStore,
  { topic, group }: ConsumerHandle,
  lane: number,
): LaneRow | undefined {
  return log.get<LaneRow>(
    `SELECT lane, committed, generation, owner, expires_at, revoked FROM group_lanes
     WHERE topic = ? AND grp = ? AND lane = ?`,
    topic,
    group,
    lane,
  );
}

/** The lane's row, where the lease is still the newest one; a lapsed lease that nobody took may finish. */
export function checkLease(store: LogStore, consumer: ConsumerHandle, lease: LaneLease): LaneRow {
  const row = readLane(store, consumer, lease.lane);
  if (row?.owner === consumer.owner && row.generation === lease.generation) return row;
  throw fenced(consumer, lease, row);
}

/** As `checkLease`, for starting something new: refuses a lease that lapsed or was taken back as well. */
export function checkLiveLease(store: LogStore, consumer: ConsumerHandle, lease: LaneLease): LaneRow {
  const row = checkLease(store, consumer, lease);
  if (row.expires_at <= Date.now() || row.revoked === 1) throw fenced(consumer, lease, row);
  return row;
}

function fenced(consumer: ConsumerHandle, lease: LaneLease, row: LaneRow | undefined): FencedError {
  const current = row?.owner ? row.generation : null;
  return new FencedError(laneResource(consumer, lease.lane), lease.generation, current);
}

export function freeLane({ log }: LogStore, { topic, group }: ConsumerHandle, lane: number): void {
  log.run(
    `UPDATE group_lanes SET owner = NULL, expires_at = 0, revoked = 0 WHERE topic = ? AND grp = ? AND lane = ?`,
    topic,
    group,
    lane,
  );
}
