import type { Bus, ConsumerOptions, LogRecord } from '../../log/port.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TableProjection } from '../projection/projection.ts';
import { storeStates } from '../replay/state-table.ts';
import { presentVersions } from '../replay/switch.ts';
import { deletedRecords } from '../verify/deleted-records.ts';
import { servedDatabase, servedVersion } from '../versions/prepare-store.ts';
import { getGroup, hasGroup } from '../versions/version-names.ts';
import { readVisible } from '../watermark/visible-span.ts';
import { advancePartitions } from './advance-partitions.ts';

/** A projection other than the one whose database has the records. */
export interface ProjectionUse {
  readonly projection: TableProjection;
  /** Its groups hold the log back. One that is off goes on from the stored records when it runs again. */
  readonly isRunning: boolean;
}

const EVERY_MS = 600_000;
const SOME = { records: 2_000, bytes: 16 << 20 } as const;

/**
 * Applies the retention of the log: frees, every ten minutes, the epochs whose blocks the store holds, until `signal`
 * aborts. A failure is logged and left to the next time: the log is only longer than necessary.
 */
export async function applyRetention(
  parts: EngineParts,
  others: readonly ProjectionUse[],
  signal: AbortSignal,
): Promise<void> {
  // An epoch that could not be freed is looked at again when the head is in the next one, or by the next start.
  for (let seen: number | null = null; !signal.aborted; ) {
    try {
      const head = await headEpoch(parts);
      const freed = head === null || head === seen ? [] : await trimStoredEpochs(parts, head, signal, others);
      seen = head;
      if (freed.length > 0)
        parts.log.info({ epochs: freed.length }, 'epochs that are in the store are removed from the log');
    } catch (error) {
      if (!signal.aborted) parts.log.warn({ error }, 'the log could not be trimmed');
    }
    await pause(EVERY_MS, signal);
  }
}

/**
 * Frees the epochs below the head's whose records are all in the store: blocks by root hash in `raw_blocks`, start
 * states in `raw_states`, which are stored now. A record in neither (a dead letter) keeps its epoch and all above.
 * Returns the freed epochs.
 */
export async function trimStoredEpochs(
  parts: EngineParts,
  head: number,
  signal: AbortSignal,
  others: readonly ProjectionUse[] = [],
): Promise<readonly number[]> {
  const { bus, projection } = parts;
  const topic = projection.reads;
  // The store has them: what others deleted keeps nothing back.
  const { passed } = await deletedRecords(
    parts,
    await servedVersion(parts.client, parts.identity, projection),
  );
  await bus.passDeleted(topic, passed);
  if (!(await holdsBelow(bus, topic, head))) return [];
  let below = head;
  for (const { lane, first, next } of await bus.bounds(topic)) {
    for (let at = first; at < next && !signal.aborted; ) {
      const records = await bus.read(topic, lane, at, SOME);
      if (records.length === 0) break;
      const old = records.filter(({ epoch }) => epoch < below);
      const missing = old.length > 0 ? await firstMissing(parts, old) : null;
      if (missing) below = Math.min(below, missing.epoch);
      at = (records.at(-1)?.offset ?? at) + 1;
    }
  }
  if (signal.aborted || below === 0) return [];
  await advanceOrphanedGroups(parts);
  for (const { projection, isRunning } of others)
    await advanceOrphanedGroups({ ...parts, projection }, isRunning ? null : below);
  // The freed records may be the only copy that a power cut would have left.
  await parts.client.flush();
  // Records of other topics follow from tables, and are read from there again.
  const fed = new Set(others.map(({ projection: { reads } }) => reads).filter((reads) => reads !== topic));
  for (const one of fed) await bus.trim(one, below);
  return bus.trim(topic, below);
}

/** The epoch of the highest visible masterchain block; null if there is none. */
export async function headEpoch({ client, identity, projection }: EngineParts): Promise<number | null> {
  const database = await servedDatabase(client, identity, projection);
  const visible = await readVisible(client, database, identity.facts.continuity);
  return visible && Math.floor(visible.last / identity.epochSize);
}

/** Whether any lane begins in an epoch below. */
async function holdsBelow(bus: Bus, topic: string, epoch: number): Promise<boolean> {
  for (const { lane, first, next } of await bus.bounds(topic)) {
    if (first === next) continue;
    const [oldest] = await bus.read(topic, lane, first, { records: 1, bytes: 1 });
    if (oldest && oldest.epoch < epoch) return true;
  }
  return false;
}

/** The first record that the store does not hold. */
async function firstMissing(
  { client, identity, projection }: EngineParts,
  records: readonly LogRecord[],
): Promise<LogRecord | null> {
  const positions = records.map(({ position }) => position);
  const { input } = projection;
  const database = await servedDatabase(client, identity, { name: input.projection });
  const range = { first: Math.min(...positions), last: Math.max(...positions) };
  const stored = await input.hashes({ client, database }, range);
  const states = records.filter(({ headers }) => headers.kind === 'state');
  await storeStates(client, identity.network, states, 'trim/states');
  const isMissing = ({ key, headers }: LogRecord) =>
    headers.kind !== 'state' && stored.get(key) !== headers.root_hash;
  return records.find(isMissing) ?? null;
}

/**
 * Advances the groups of dropped versions and finished retries to the end: they would block retention forever. `off`:
 * the projection is off, and its partitions release the epochs below.
 */
export async function advanceOrphanedGroups(parts: EngineParts, off: number | null = null): Promise<void> {
  const { bus, projection, owner, identity } = parts;
  const alive = new Set((await presentVersions(parts)).map(({ version }) => getGroup(projection, version)));
  const lags = (await bus.lag()).filter(
    ({ topic, group }) => topic === projection.reads && hasGroup(projection, group),
  );
  for (const group of new Set(lags.map((lag) => lag.group))) {
    const own = lags.filter((lag) => lag.group === group);
    if (own.some((lag) => lag.owner !== null)) continue;
    const member = { topic: projection.reads, group, owner };
    if (own[0]?.isPartition) {
      const until = alive.has(group) ? off && off * identity.epochSize : own[0].end;
      if (until !== null) await advancePartitions(bus, { ...member, partitions: own.length }, until);
    } else if (!alive.has(group)) await advanceGroup(bus, member);
  }
}

async function advanceGroup(bus: Bus, group: Omit<ConsumerOptions, 'sessionMs'>): Promise<void> {
  const consumer = await bus.consumer({ ...group, sessionMs: 15_000 });
  try {
    const ends = new Map((await bus.bounds(group.topic)).map(({ lane, next }) => [lane, next]));
    for (const lease of await consumer.claim()) {
      // An unfinished range of a dropped version has no owner any more.
      const left = await consumer.pending(lease);
      if (left) await consumer.confirm(lease, left);
      await consumer.commit(lease, ends.get(lease.lane) ?? lease.committed);
    }
  } finally {
    await consumer.release();
  }
}
