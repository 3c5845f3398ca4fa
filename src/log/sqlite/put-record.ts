import type { LogStore } from './log-store.ts';
import type { RecordMeta } from './plan-append.ts';
import { ensureTopic, laneEnd } from './topics.ts';

/** Appends one record to a small topic (lane 0 of 1) and returns its offset; durable when this returns. */
export function putRecord(store: LogStore, topic: string, record: RecordMeta, value: Uint8Array): number {
  ensureTopic(store, topic, 'records');
  return store.log.transaction(() => {
    const offset = laneEnd(store, topic, 0);
    store.log.run(
      'INSERT INTO small VALUES (?, ?, ?, ?, ?, ?)',
      topic,
      offset,
      Date.now(),
      record.key,
      JSON.stringify(record.headers),
      value,
    );
    store.log.run('UPDATE lanes SET next = ? WHERE topic = ? AND lane = 0', offset + 1, topic);
    return offset;
  });
}
