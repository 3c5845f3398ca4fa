import { type ChainExtent, partitionLag } from '../chain/chain-range.ts';
import { laneResource } from '../coordination/lane-rights.ts';
import type { GroupLag, LaneBounds, TopicKind } from '../port.ts';
import { InvalidRequestError } from './errors.ts';
import { requireIdentity } from './identity.ts';
import type { LeaseRow } from './lease-watch.ts';
import type { LogStore } from './log-store.ts';

export interface Topic {
  readonly topic: string;
  readonly kind: TopicKind;
  readonly lanes: number;
}

/** Topic names are parts of file names. */
const TOPIC_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

export function findTopic({ log }: LogStore, topic: string): Topic | null {
  return log.get<Topic>('SELECT topic, kind, lanes FROM topics WHERE topic = ?', topic) ?? null;
}

/** The topic, created with its lanes if new. A `kind` of null accepts any kind, or creates a topic of steps. */
export function ensureTopic(store: LogStore, name: string, kind: TopicKind | null): Topic {
  const known =
    findTopic(store, name) ?? store.log.transaction(() => createTopic(store, name, kind ?? 'steps'));
  if (kind && known.kind !== kind)
    throw new InvalidRequestError(`topic ${name}`, `a topic of ${kind}`, `a topic of ${known.kind}`);
  return known;
}

function createTopic(store: LogStore, name: string, kind: TopicKind): Topic {
  const known = findTopic(store, name);
  if (known) return known;
  if (!TOPIC_NAME.test(name)) throw new InvalidRequestError('topic name', String(TOPIC_NAME), name);
  const lanes = kind === 'steps' ? requireIdentity(store).lanes : 1;
  store.log.run('INSERT INTO topics (topic, kind, lanes) VALUES (?, ?, ?)', name, kind, lanes);
  for (let lane = 0; lane < lanes; lane++) store.log.run('INSERT INTO lanes VALUES (?, ?, 0)', name, lane);
  return { topic: name, kind, lanes };
}

export function listTopics({ log }: LogStore): readonly string[] {
  return log.all<{ topic: string }>('SELECT topic FROM topics ORDER BY topic').map(({ topic }) => topic);
}

/** Oldest kept and next offset of every lane; empty for a topic that does not exist. */
export function readBounds({ log }: LogStore, topic: string): readonly LaneBounds[] {
  return log
    .all<LaneBounds>(
      `SELECT l.lane, l.next, CASE t.kind WHEN 'records' THEN 0 ELSE coalesce(
         (SELECT min(r.first) FROM runs r WHERE r.topic = l.topic AND r.lane = l.lane), l.next) END AS first
       FROM lanes l JOIN topics t USING (topic) WHERE topic = ? ORDER BY l.lane`,
      topic,
    )
    .map(({ lane, first, next }) => ({ lane, first, next }));
}

/** The published end of a lane, or 0 for an unknown one. */
export function laneEnd({ log }: LogStore, topic: string, lane: number): number {
  const row = log.get<{ next: number }>('SELECT next FROM lanes WHERE topic = ? AND lane = ?', topic, lane);
  return row?.next ?? 0;
}

/** Extent of a topic of steps along the chain. */
export function readExtent(store: LogStore, topic: string): ChainExtent {
  const sql = 'SELECT tail_position AS tail FROM topics WHERE topic = ?';
  const row = store.log.get<{ tail: number | null }>(sql, topic);
  return { epochSize: requireIdentity(store).epochSize, tail: row?.tail ?? -1 };
}

/** Records ever published in the topic: changes whenever something becomes readable. */
export function publishedCount({ log }: LogStore, topic: string): number {
  return (
    log.get<{ n: number }>('SELECT coalesce(sum(next), 0) AS n FROM lanes WHERE topic = ?', topic)?.n ?? 0
  );
}

export function readLag({ log, leases }: LogStore): readonly GroupLag[] {
  return log
    .all<LagRow>(
      `SELECT g.topic, g.grp AS "group", g.lane, g.committed, l.next AS "end", p.partitions, t.tail_position AS tail,
         g.owner, g.generation, g.expires_at AS expiresAt, s.ms AS sessionMs
       FROM group_lanes g JOIN topics t USING (topic) LEFT JOIN lanes l USING (topic, lane)
       LEFT JOIN partitioned_groups p ON p.topic = g.topic AND p.grp = g.grp
       LEFT JOIN sessions s ON s.owner = g.owner ORDER BY g.topic, g.grp, g.lane`,
    )
    .map(({ partitions, tail, end, generation, expiresAt, sessionMs, ...found }) => {
      const { topic, group, lane, owner } = found;
      const lease = {
        resource: laneResource({ topic, group, lane }),
        owner,
        generation,
        expiresAt,
        sessionMs,
      };
      const row = { ...found, owner: leases.getEnd(lease) > leases.now() ? owner : null };
      return partitions === null ? { ...row, end: end ?? 0 } : partitionLag(row, tail ?? -1);
    });
}

type LagRow = Omit<GroupLag, 'end'> &
  Omit<LeaseRow, 'resource'> & {
    readonly end: number | null;
    readonly partitions: number | null;
    readonly tail: number | null;
  };
