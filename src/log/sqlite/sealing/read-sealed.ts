import type { LogRecord, SealedQuery } from '../../port.ts';
import { SegmentMissingError } from '../errors.ts';
import type { LogStore } from '../log-store.ts';
import { toRecord } from '../read-records.ts';
import type { Segment } from '../segment-files.ts';

/**
 * Reads records of sealed files by position and key; of each file only its index and the chunks that have them.
 * @throws SegmentMissingError, SealedFileError
 */
export function readSealed(store: LogStore, topic: string, query: SealedQuery): LogRecord[] {
  const segments = store.log.all<Segment>(
    `SELECT id, topic, epoch, lane FROM sealed WHERE topic = ? AND first_position <= ? AND last_position >= ?
     ORDER BY epoch, id`,
    topic,
    query.last,
    query.first,
  );
  return segments.flatMap((segment) => readSegment(store, segment, query));
}

function readSegment(store: LogStore, segment: Segment, query: SealedQuery): LogRecord[] {
  const { log, sealed } = store;
  try {
    const rows = [...sealed.read(segment).find(query)];
    return rows.map((row) => toRecord(row, segment.lane, segment.epoch));
  } catch (error) {
    // Another process may have freed the epoch since the look-up.
    const isNamed = log.get('SELECT 1 FROM sealed WHERE id = ?', segment.id) !== undefined;
    if (error instanceof SegmentMissingError && !isNamed) return [];
    throw error;
  }
}
