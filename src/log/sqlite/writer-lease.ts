import { checkWriter as checkLease } from '../coordination/apply-writer.ts';
import type { Lease, LogRecord, WriterLease } from '../port.ts';
import { decide, execute } from './coordinate.ts';
import { loadCoordination, readWriterRow } from './coordination-rows.ts';
import type { LogStore } from './log-store.ts';
import { readRange } from './read-records.ts';
import type { Segment } from './segment-files.ts';
import { ensureTopic } from './topics.ts';

/** A writer as the worker knows it. */
export interface WriterHandle extends Lease {
  readonly topic: string;
  readonly sessionMs: number;
}

/** Takes the lease: free, lapsed, or the owner's own from before. The generation grows with every taking. */
export function takeWriter(store: LogStore, topic: string, owner: string, sessionMs: number): WriterHandle {
  ensureTopic(store, topic, 'steps');
  store.owners.hold(owner);
  return { topic, sessionMs, ...execute(store, 'takeWriter', { topic, owner, sessionMs }) };
}

/** The lease as others may rely on it: it ends a session from now at the latest, whatever its row says. */
export function readWriterLease(store: LogStore, topic: string): WriterLease | null {
  const row = readWriterRow(store, topic);
  if (!row?.owner) return null;
  const now = store.leases.now();
  const end = store.leases.getEnd(row);
  if (end <= now) return null;
  return { owner: row.owner, expiresAt: Math.min(end, now + (row.sessionMs ?? end)) };
}

/** A lapsed lease that no other writer took is still valid: only a newer generation fences. */
export function checkWriter(store: LogStore, { topic, owner, generation }: WriterHandle): void {
  checkLease(loadCoordination(store, { topic }), { topic, owner, generation });
}

/** Within a transaction; throws `FencedError` as `checkWriter` does. */
export function renewWriter(store: LogStore, writer: WriterHandle): void {
  const { topic, owner, generation, sessionMs } = writer;
  decide(store, 'renewWriter', { topic, owner, generation, sessionMs });
}

/** Releases the lease if it is still held. The generation stays, so that the next one is newer. */
export function releaseWriter(store: LogStore, { topic, owner, generation }: WriterHandle): void {
  execute(store, 'releaseWriter', { topic, owner, generation });
}

export function readTail(store: LogStore, writer: WriterHandle): LogRecord | null {
  checkWriter(store, writer);
  const tail = store.log.get<Segment & { offset: number }>(
    `SELECT s.id, s.topic, s.epoch, s.lane, t.tail_offset AS offset
     FROM topics t JOIN segments s ON s.id = t.tail_segment WHERE t.topic = ?`,
    writer.topic,
  );
  if (!tail) return null;
  return (
    readRange(
      store,
      { ...tail, sealed: 0 },
      { first: tail.offset, next: tail.offset + 1 },
      { records: 1, bytes: 1 },
    )[0] ?? null
  );
}
