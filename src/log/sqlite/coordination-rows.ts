import { isDeepStrictEqual } from 'node:util';
import { writerResource } from '../coordination/apply-writer.ts';
import {
  type CoordinationState,
  type GroupState,
  groupKey,
  type LaneState,
  type TopicState,
} from '../coordination/coordination-state.ts';
import { laneResource } from '../coordination/lane-rights.ts';
import type { JournalEntry } from '../port.ts';
import { readIdentity } from './identity.ts';
import type { LeaseRow } from './lease-watch.ts';
import type { LogStore } from './log-store.ts';
import { findTopic, readBounds } from './topics.ts';

/** The part of the state that a command may look at: without a topic the identity, without a group the topic's writer. */
export interface CoordinationScope {
  readonly topic?: string;
  readonly group?: string;
  /** Only this lane of the group, and no members. */
  readonly lane?: number;
  /** The topic's own state, too. */
  readonly withTopic?: boolean;
}

/** The part of the state as the tables hold it. Leases that have ended have an end in the past. */
export function loadCoordination(store: LogStore, scope: CoordinationScope): CoordinationState {
  const { topic, group, lane, withTopic = false } = scope;
  const state: CoordinationState = {
    identity: topic === undefined ? readIdentity(store) : null,
    topics: new Map(),
    writers: new Map(),
    groups: new Map(),
    now: store.leases.now(),
  };
  if (topic === undefined) return state;
  if (withTopic) loadTopic(store, topic, state.topics);
  if (group === undefined) loadWriter(store, topic, state.writers);
  else loadGroup(store, { topic, group, ...(lane !== undefined && { lane }) }, state.groups);
  return state;
}

function loadTopic(store: LogStore, name: string, topics: CoordinationState['topics']): void {
  const known = findTopic(store, name);
  if (!known) return;
  const low = readBounds(store, name).map(({ first }) => first);
  topics.set(name, { name, kind: known.kind, low } satisfies TopicState);
}

function loadWriter(store: LogStore, topic: string, writers: CoordinationState['writers']): void {
  const row = readWriterRow(store, topic);
  if (!row) return;
  const { generation, owner } = row;
  writers.set(topic, { generation, owner, expiresAt: store.leases.getEnd(row) });
}

/** The lease of a topic's writer; undefined if it never had one. */
export function readWriterRow({ log }: LogStore, topic: string): LeaseRow | undefined {
  const row = log.get<Omit<LeaseRow, 'resource'>>(
    `SELECT w.generation, w.owner, w.expires_at AS expiresAt, s.ms AS sessionMs
     FROM writers w LEFT JOIN sessions s USING (owner) WHERE w.topic = ?`,
    topic,
  );
  return row && { ...row, resource: writerResource(topic) };
}

type GroupScope = { readonly topic: string; readonly group: string; readonly lane?: number };

/** Loads a group; with `lane`, the other lanes are left out: `lanes` has holes then. */
function loadGroup(store: LogStore, scope: GroupScope, groups: CoordinationState['groups']): void {
  const { topic, group, lane } = scope;
  const found = loadLanes(store, scope);
  if (found.length === 0) return;
  const lanes: LaneState[] = [];
  for (const one of found) lanes[one.lane] = one;
  const partitions = store.log.get<{ partitions: number }>(
    'SELECT partitions FROM partitioned_groups WHERE topic = ? AND grp = ?',
    topic,
    group,
  )?.partitions;
  const members = lane === undefined ? loadMembers(store, scope) : new Map<string, number>();
  groups.set(groupKey(topic, group), {
    topic,
    group,
    ...(partitions !== undefined && { partitions }),
    members,
    lanes,
  });
}

function loadMembers({ log, leases }: LogStore, { topic, group }: GroupScope): Map<string, number> {
  const sql = `SELECT m.owner, m.expires_at AS expiresAt, s.ms AS sessionMs
    FROM members m LEFT JOIN sessions s USING (owner) WHERE m.topic = ? AND m.grp = ?`;
  const rows = log.all<MemberRow>(sql, topic, group);
  return new Map(
    rows.map((row) => {
      const resource = `member ${row.owner} of ${topic} for ${group}`;
      return [row.owner, leases.getEnd({ ...row, generation: 0, resource })];
    }),
  );
}

type MemberRow = Pick<LeaseRow, 'expiresAt' | 'sessionMs'> & { readonly owner: string };

interface LaneRow {
  readonly lane: number;
  readonly committed: number;
  readonly generation: number;
  readonly owner: string | null;
  readonly expiresAt: number;
  readonly sessionMs: number | null;
  /** 1: taken back for another member while a batch was under way. */
  readonly revoked: number;
  /** Epoch of the lane's journal entry; null if there is none. */
  readonly epoch: number | null;
  readonly first: number;
  readonly next: number;
  readonly first_position: number;
  readonly last_position: number;
  readonly attempt: number;
  readonly expected: string;
}

const LANES = `SELECT g.lane, g.committed, g.generation, g.owner, g.expires_at AS expiresAt, g.revoked,
  s.ms AS sessionMs, j.epoch, j.first, j.next, j.first_position, j.last_position, j.attempt, j.expected
  FROM group_lanes g LEFT JOIN journal j USING (topic, grp, lane)
  LEFT JOIN sessions s ON s.owner = g.owner WHERE g.topic = ? AND g.grp = ?`;

function loadLanes({ log, leases }: LogStore, { topic, group, lane }: GroupScope): LaneState[] {
  const rows =
    lane === undefined
      ? log.all<LaneRow>(`${LANES} ORDER BY g.lane`, topic, group)
      : log.all<LaneRow>(`${LANES} AND g.lane = ?`, topic, group, lane);
  return rows.map((row) => ({
    lane: row.lane,
    committed: row.committed,
    generation: row.generation,
    owner: row.owner,
    expiresAt: leases.getEnd({ ...row, resource: laneResource({ topic, group, lane: row.lane }) }),
    revoked: row.revoked === 1,
    pending: row.epoch === null ? null : toEntry(row, row.epoch),
  }));
}

const toEntry = (row: LaneRow, epoch: number): JournalEntry => ({
  lane: row.lane,
  epoch,
  from: row.first,
  next: row.next,
  firstPosition: row.first_position,
  lastPosition: row.last_position,
  attempt: row.attempt,
  expected: JSON.parse(row.expected) as Record<string, number>,
});

/** Writes the changes of a command; `before` is the loaded state. */
export function saveCoordination(store: LogStore, before: CoordinationState, after: CoordinationState): void {
  const { log } = store;
  if (after.identity && !before.identity)
    log.run("INSERT INTO meta VALUES ('identity', ?)", JSON.stringify(after.identity));
  for (const [topic, writer] of after.writers) {
    if (isDeepStrictEqual(writer, before.writers.get(topic))) continue;
    const { generation, owner, expiresAt } = writer;
    log.run('REPLACE INTO writers VALUES (?, ?, ?, ?)', topic, generation, owner, expiresAt);
  }
  for (const [key, group] of after.groups) saveGroup(store, before.groups.get(key), group);
}

/** Records how long the leases of an owner last: the longest, if it has several. */
export function saveSession({ log }: LogStore, owner: string, sessionMs: number): void {
  log.run(
    'INSERT INTO sessions VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET ms = excluded.ms WHERE ms < excluded.ms',
    owner,
    sessionMs,
  );
}

function saveGroup(store: LogStore, before: GroupState | undefined, after: GroupState): void {
  const { log } = store;
  const { topic, group, partitions } = after;
  if (!before && partitions !== undefined)
    log.run('INSERT INTO partitioned_groups VALUES (?, ?, ?)', topic, group, partitions);
  for (const owner of before?.members.keys() ?? [])
    if (!after.members.has(owner))
      log.run('DELETE FROM members WHERE topic = ? AND grp = ? AND owner = ?', topic, group, owner);
  for (const [owner, expiresAt] of after.members)
    if (before?.members.get(owner) !== expiresAt)
      log.run('REPLACE INTO members VALUES (?, ?, ?, ?)', topic, group, owner, expiresAt);
  // Passes over the holes of what was not loaded.
  after.lanes.forEach((lane, index) => {
    if (!isDeepStrictEqual(lane, before?.lanes[index])) saveLane(store, after, before?.lanes[index], lane);
  });
}

function saveLane(
  { log }: LogStore,
  { topic, group }: GroupState,
  before: LaneState | undefined,
  after: LaneState,
): void {
  const { lane, committed, generation, owner, expiresAt, revoked, pending } = after;
  log.run(
    'REPLACE INTO group_lanes VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    topic,
    group,
    lane,
    committed,
    generation,
    owner,
    expiresAt,
    revoked ? 1 : 0,
  );
  if (isDeepStrictEqual(pending, before?.pending ?? null)) return;
  if (!pending) {
    log.run('DELETE FROM journal WHERE topic = ? AND grp = ? AND lane = ?', topic, group, lane);
    return;
  }
  log.run(
    'REPLACE INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    topic,
    group,
    lane,
    pending.epoch,
    pending.from,
    pending.next,
    pending.firstPosition,
    pending.lastPosition,
    pending.attempt,
    JSON.stringify(pending.expected),
  );
}
