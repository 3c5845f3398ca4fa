import { FencedError, LeaseHeldError } from '../errors.ts';
import type { Lease, LogRecord } from '../port.ts';
import type { LogStore } from './log-store.ts';
import { readRange } from './read-records.ts';
import type { Segment } from './segment-files.ts';
import { ensureTopic } from './topics.ts';

/** A writer as the worker knows it. */
export interface WriterHandle extends Lease {
  readonly topic: string;
  readonly sessionMs: number;
}

interface WriterRow {
  readonly generation: number;
  readonly owner: string | null;
  readonly expires_at: number;
}

export const writerResource = ({ topic }: { topic: string }) => `writer of ${topic}`;

function readWriter({ log }: LogStore, topic: string): WriterRow | undefined {
  return log.get<WriterRow>('SELECT generation, owner, expires_at FROM writers WHERE topic = ?', topic);
}

/** Takes the lease: free, lapsed, or the owner's own from before. The generation grows with every taking. */
export function takeWriter(store: LogStore, topic: string, owner: string, sessionMs: number): WriterHandle {
  ensureTopic(store, topic, 'steps');
  return store.log.transaction(() => {
    const now = Date.now();
    const held = readWriter(store, topic);
    if (held?.owner && held.owner !== owner && held.expires_at > now)
      throw new LeaseHeldError(writerResource({ topic }), held.owner, new Date(held.expires_at));
    const generation = (held?.generation ?? 0) + 1;
    store.log.run('REPLACE INTO writers VALUES (?, ?, ?, ?)', topic, generation, owner, now + sessionMs);
    return { topic, owner, generation, sessionMs };
  });
}

/** A lapsed lease that nobody took is still the holder's: only a newer generation fences. */
export function checkWriter(store: LogStore, writer: WriterHandle): void {
  const row = readWriter(store, writer.topic);
  if (row?.owner === writer.owner && row.generation === writer.generation) return;
  throw new FencedError(writerResource(writer), writer.generation, row?.owner ? row.generation : null);
}

export function renewWriter({ log }: LogStore, { topic, sessionMs }: WriterHandle): void {
  log.run('UPDATE writers SET expires_at = ? WHERE topic = ?', Date.now() + sessionMs, topic);
}

/** Gives the lease up where it is still held; the generation stays, so that the next one is newer. */
export function releaseWriter({ log }: LogStore, { topic, owner, generation }: WriterHandle): void {
  log.run(
    'UPDATE writers SET owner = NULL, expires_at = 0 WHERE topic = ? AND owner = ? AND generation = ?',
    topic,
    owner,
    generation,
  );
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
    readRange(store, tail, { first: tail.offset, next: tail.offset + 1 }, { records: 1, bytes: 1 })[0] ?? null
  );
}
