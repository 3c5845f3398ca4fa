/**
 * Sharing the lanes of a topic among the live members of a group. There is no leader: each member, at its own
 * claim and in one transaction, renews what it holds, gives back what exceeds its share and takes what is free
 * up to its share. So a new member gets its lanes as the others come by, and a dead one's lanes lapse.
 *
 * A lane with a journalled batch is not pulled away in the middle of the insert: it is marked as taken back,
 * disappears from the answer and cannot start another batch; confirming the batch, or the lease's end, frees it.
 */
import type { ConsumerOptions, LaneLease } from '../port.ts';
import { type ConsumerHandle, freeLane, type LaneRow } from './lane-lease.ts';
import type { LogStore } from './log-store.ts';
import { ensureTopic, readBounds } from './topics.ts';

/** Registers the group; lanes it has not seen start at their oldest kept offset. */
export function openConsumer(store: LogStore, options: ConsumerOptions): ConsumerHandle {
  const { topic, group, owner, sessionMs } = options;
  ensureTopic(store, topic, null);
  store.log.transaction(() => {
    for (const { lane, first } of readBounds(store, topic)) {
      store.log.run(
        'INSERT INTO group_lanes VALUES (?, ?, ?, ?, 0, NULL, 0, 0) ON CONFLICT DO NOTHING',
        topic,
        group,
        lane,
        first,
      );
    }
  });
  return { topic, group, owner, sessionMs, held: new Map(), drained: new Map() };
}

export function claimLanes(store: LogStore, consumer: ConsumerHandle): readonly LaneLease[] {
  store.log.transaction(() => {
    const now = Date.now();
    const members = renewMembership(store, consumer, now);
    const rows = readLanes(store, consumer);
    const mine = keepHeld(consumer, rows);
    const share = fairShare(consumer.owner, members, rows, now);
    for (const row of mine.slice(share)) giveBack(store, consumer, row.lane);
    for (const row of mine.slice(0, share)) renew(store, consumer, row, now);
    const free = rows.filter((row) => !mine.includes(row) && isFree(consumer, row, now));
    for (const row of free.slice(0, Math.max(0, share - mine.length))) take(store, consumer, row, now);
  });
  return [...consumer.held.values()].sort((a, b) => a.lane - b.lane);
}

function renewMembership({ log }: LogStore, consumer: ConsumerHandle, now: number): readonly string[] {
  const { topic, group, owner, sessionMs } = consumer;
  log.run('DELETE FROM members WHERE topic = ? AND grp = ? AND expires_at <= ?', topic, group, now);
  log.run('REPLACE INTO members VALUES (?, ?, ?, ?)', topic, group, owner, now + sessionMs);
  return log
    .all<{ owner: string }>(
      'SELECT owner FROM members WHERE topic = ? AND grp = ? ORDER BY owner',
      topic,
      group,
    )
    .map((row) => row.owner);
}

function readLanes({ log }: LogStore, { topic, group }: ConsumerHandle): readonly LaneRow[] {
  return log.all<LaneRow>(
    `SELECT lane, committed, generation, owner, expires_at, revoked FROM group_lanes
     WHERE topic = ? AND grp = ? ORDER BY lane`,
    topic,
    group,
  );
}

/** The lanes that are still this member's; forgets the others. */
function keepHeld(consumer: ConsumerHandle, rows: readonly LaneRow[]): readonly LaneRow[] {
  const mine = rows.filter(
    ({ lane, owner, generation, revoked }) =>
      owner === consumer.owner && generation === consumer.held.get(lane)?.generation && revoked === 0,
  );
  for (const lane of consumer.held.keys()) {
    if (!mine.some((row) => row.lane === lane)) consumer.held.delete(lane);
  }
  return mine;
}

/** Nobody's, lapsed, or left behind by an earlier member of the same name. */
function isFree(consumer: ConsumerHandle, { owner, expires_at, revoked }: LaneRow, now: number): boolean {
  return owner === null || expires_at <= now || (owner === consumer.owner && revoked === 0);
}

/**
 * Lanes by members, the remainder to those who hold the most already (then by name): every member computes the
 * same shares from the same rows, and a full share is never moved without need.
 */
function fairShare(self: string, members: readonly string[], rows: readonly LaneRow[], now: number): number {
  const holds = (member: string) =>
    rows.filter((row) => row.owner === member && row.expires_at > now && row.revoked === 0).length;
  const ranked = [...members].sort((a, b) => holds(b) - holds(a) || (a < b ? -1 : 1));
  const remainder = rows.length % members.length;
  return Math.floor(rows.length / members.length) + (ranked.indexOf(self) < remainder ? 1 : 0);
}

function giveBack(store: LogStore, consumer: ConsumerHandle, lane: number): void {
  const { topic, group, held } = consumer;
  held.delete(lane);
  const busy = store.log.get(
    'SELECT 1 FROM journal WHERE topic = ? AND grp = ? AND lane = ?',
    topic,
    group,
    lane,
  );
  if (busy)
    store.log.run(
      'UPDATE group_lanes SET revoked = 1 WHERE topic = ? AND grp = ? AND lane = ?',
      topic,
      group,
      lane,
    );
  else freeLane(store, consumer, lane);
}

/** A lease that lapsed and was not taken goes on, from what its holder has committed since. */
function renew({ log }: LogStore, consumer: ConsumerHandle, row: LaneRow, now: number): void {
  const { lane, committed } = row;
  const lease = consumer.held.get(lane);
  if (lease) consumer.held.set(lane, { ...lease, committed });
  log.run(
    'UPDATE group_lanes SET expires_at = ? WHERE topic = ? AND grp = ? AND lane = ?',
    now + consumer.sessionMs,
    consumer.topic,
    consumer.group,
    lane,
  );
}

function take({ log }: LogStore, consumer: ConsumerHandle, row: LaneRow, now: number): void {
  const generation = row.generation + 1;
  log.run(
    `UPDATE group_lanes SET owner = ?, generation = ?, expires_at = ?, revoked = 0
     WHERE topic = ? AND grp = ? AND lane = ?`,
    consumer.owner,
    generation,
    now + consumer.sessionMs,
    consumer.topic,
    consumer.group,
    row.lane,
  );
  const { lane, committed } = row;
  consumer.held.set(lane, { lane, committed, generation, owner: consumer.owner });
}

/** Leaves the group: its lanes are free at once. */
export function releaseConsumer(store: LogStore, consumer: ConsumerHandle): void {
  const { topic, group, owner, held } = consumer;
  store.log.transaction(() => {
    store.log.run('DELETE FROM members WHERE topic = ? AND grp = ? AND owner = ?', topic, group, owner);
    for (const row of readLanes(store, consumer)) {
      if (row.owner === owner && (row.revoked === 1 || row.generation === held.get(row.lane)?.generation))
        freeLane(store, consumer, row.lane);
    }
  });
  held.clear();
}
