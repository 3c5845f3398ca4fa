import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, ConsumerOptions, LogRecord } from '../../log/port.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import type { EngineParts } from '../engine-parts.ts';
import { stateTable } from '../replay/state-table.ts';
import { presentVersions } from '../replay/switch.ts';
import { servedDatabase } from '../versions/prepare-store.ts';
import { groupOf, isGroupOf } from '../versions/version-names.ts';
import { readVisible } from '../watermark/visible-span.ts';

const EVERY_MS = 600_000;
const SOME = { records: 2_000, bytes: 16 << 20 } as const;

/**
 * Frees, now and then, the epochs of the log whose blocks the store holds for good, until `signal` aborts. What goes
 * wrong is said, and left to the next time: the log is only longer than it need be.
 */
export async function keepLogShort(parts: EngineParts, signal: AbortSignal): Promise<void> {
  // An epoch that could not be freed is looked at again when the head is in the next one, or by the next start.
  for (let seen: number | null = null; !signal.aborted; ) {
    try {
      const head = await headEpoch(parts);
      const freed = head === null || head === seen ? [] : await trimStoredEpochs(parts, head, signal);
      seen = head;
      if (freed.length > 0)
        parts.log.info({ epochs: freed.length }, 'epochs that the store holds are freed in the log');
    } catch (error) {
      if (!signal.aborted) parts.log.warn({ error }, 'the log could not be trimmed');
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Frees the epochs below the head's of which every record is in the store: blocks by their root hash in `raw_blocks`,
 * start states in `raw_states`, where they are put now. A record that is in neither (a dead letter) keeps its epoch and
 * those above it. Answers the epochs freed.
 */
export async function trimStoredEpochs(
  parts: EngineParts,
  head: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { bus, projection } = parts;
  const topic = projection.reads;
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
  await passDeadGroups(parts);
  // What is freed may be the only copy that a power cut would have left.
  await parts.client.flush();
  return bus.trim(topic, below);
}

/** The epoch of the highest masterchain block that answers may speak of; null where there is none. */
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
  if (states.length > 0) {
    const table = encodeNativeBlock(stateTable(states));
    await client.insertNative(`${metaDatabase(identity.network)}.raw_states`, table, {
      route: 'trim/states',
    });
  }
  const isMissing = ({ key, headers }: LogRecord) =>
    headers.kind !== 'state' && stored.get(key) !== headers.root_hash;
  return records.find(isMissing) ?? null;
}

/** Groups of versions that are gone, and of finished retries, would hold the log back for ever. */
async function passDeadGroups(parts: EngineParts): Promise<void> {
  const { bus, projection, owner } = parts;
  const alive = new Set((await presentVersions(parts)).map(({ version }) => groupOf(projection, version)));
  const lags = (await bus.lag()).filter(
    ({ topic, group }) => topic === projection.reads && isGroupOf(projection, group) && !alive.has(group),
  );
  for (const group of new Set(lags.map((lag) => lag.group))) {
    if (lags.some((lag) => lag.group === group && lag.owner !== null)) continue;
    await passGroup(bus, { topic: projection.reads, group, owner });
  }
}

async function passGroup(bus: Bus, group: Omit<ConsumerOptions, 'sessionMs'>): Promise<void> {
  const consumer = await bus.consumer({ ...group, sessionMs: 15_000 });
  try {
    const ends = new Map((await bus.bounds(group.topic)).map(({ lane, next }) => [lane, next]));
    for (const lease of await consumer.claim()) {
      // A range that was cut off in a version that is gone is nobody's any more.
      const left = await consumer.pending(lease);
      if (left) await consumer.confirm(lease, left);
      await consumer.commit(lease, ends.get(lease.lane) ?? lease.committed);
    }
  } finally {
    await consumer.release();
  }
}
