import type { LogRecord, ReadLimit } from '../port.ts';
import { FramesNeededError } from '../sealed/remote/frames-needed-error.ts';
import { SealedFileError } from '../sealed/sealed-file-error.ts';
import type { StoredRow } from '../sealed/stored-row.ts';
import { InvalidRequestError, SegmentMissingError } from './errors.ts';
import type { LogStore } from './log-store.ts';
import { type SegmentRange, type StoredSegment, segmentRows } from './stored-segments.ts';
import { findTopic } from './topics.ts';

/** An offset of a lane. */
export interface LogPlace {
  readonly topic: string;
  readonly lane: number;
  readonly from: number;
}

type RunRow = StoredSegment & SegmentRange;

/**
 * Reads whole steps of one lane from `from` on, within one epoch and below the published end. If `from` was trimmed, it
 * starts at the next kept offset. Empty after the end and for an unknown topic or lane.
 */
export function readRecords(store: LogStore, { topic, lane, from }: LogPlace, limit: ReadLimit): LogRecord[] {
  for (const [name, value] of Object.entries({ lane, from })) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new InvalidRequestError(`read of ${topic}, ${name}`, 'an integer from 0', String(value));
  }
  if (findTopic(store, topic)?.kind === 'records')
    return lane === 0 ? readSmall(store, topic, from, limit) : [];
  return readSteps(store, { topic, lane, from }, limit);
}

function readSteps(store: LogStore, place: LogPlace, limit: ReadLimit, missing?: RunRow): LogRecord[] {
  const { topic, lane, from } = place;
  const run = findRun(store, topic, lane, from);
  if (!run) return [];
  try {
    return readRange(store, run, { first: Math.max(from, run.first), next: run.next }, limit);
  } catch (error) {
    // Another process may have trimmed or sealed the segment since the look-up; then the directory names another file.
    const isSame = run.id === missing?.id && run.sealed === missing.sealed;
    if (error instanceof SegmentMissingError && isSame) throw error.before(run.next);
    if (error instanceof SealedFileError) throw error.before(run.next);
    if (!(error instanceof SegmentMissingError)) throw error;
    return readSteps(store, place, limit, run);
  }
}

/** The run that contains `from`, or the first one after it. */
export function findRun({ log }: LogStore, topic: string, lane: number, from: number): RunRow | undefined {
  return log.get<RunRow>(
    `SELECT r.segment AS id, r.topic, coalesce(s.epoch, f.epoch) AS epoch, r.lane, f.id IS NOT NULL AS sealed,
       r.first, r.next
     FROM runs r LEFT JOIN segments s ON s.id = r.segment LEFT JOIN sealed f ON f.id = r.segment
     WHERE r.topic = ?1 AND r.lane = ?2 AND r.next > ?3 AND r.first >= coalesce(
       (SELECT max(first) FROM runs WHERE topic = ?1 AND lane = ?2 AND first <= ?3), 0)
     ORDER BY r.first LIMIT 1`,
    topic,
    lane,
    from,
  );
}

/** Records of an offset range of one segment, whole steps up to the limit. */
export function readRange(
  store: LogStore,
  segment: StoredSegment,
  range: SegmentRange,
  limit: ReadLimit,
): LogRecord[] {
  const rows = segmentRows(store, segment, range, limit.withoutValues);
  return takeSteps(rows, limit, segment.lane, segment.epoch);
}

function readSmall(store: LogStore, topic: string, from: number, limit: ReadLimit): LogRecord[] {
  const rows = store.log.iterate<StoredRow>(
    `SELECT offset, offset AS position, 1 AS ends_step, appended_at, key, headers, ${limit.withoutValues ? "x'' AS value" : 'value'}
     FROM small WHERE topic = ? AND offset >= ? ORDER BY offset`,
    topic,
    from,
  );
  return takeSteps(rows, limit, 0, 0);
}

/**
 * Takes rows until a limit is reached and the step is whole. If the next rows have to be fetched first, the whole steps
 * before them are enough.
 */
function takeSteps(rows: Iterable<StoredRow>, limit: ReadLimit, lane: number, epoch: number): LogRecord[] {
  const taken: LogRecord[] = [];
  let [bytes, whole] = [0, 0];
  try {
    for (const row of rows) {
      taken.push(toRecord(row, lane, epoch));
      bytes += row.value.byteLength;
      if (row.ends_step !== 1) continue;
      whole = taken.length;
      if (taken.length >= limit.records || bytes >= limit.bytes) break;
    }
  } catch (error) {
    if (!(error instanceof FramesNeededError) || whole === 0) throw error;
    taken.length = whole;
  }
  return taken;
}

/** A stored record as readers of the log get it. */
export function toRecord(row: StoredRow, lane: number, epoch: number): LogRecord {
  return {
    lane,
    epoch,
    offset: row.offset,
    position: row.position,
    endsStep: row.ends_step === 1,
    appendedAt: row.appended_at,
    key: row.key,
    headers: JSON.parse(row.headers) as Record<string, string>,
    value: row.value,
  };
}
