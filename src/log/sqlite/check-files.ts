import { setImmediate } from 'node:timers/promises';
import { ObjectRefusedError, ObjectStoreError } from '../../platform/object-store/object-store-error.ts';
import { S3LocationError } from '../../platform/object-store/s3-location.ts';
import { endOfChain } from '../chain/chain-range.ts';
import { stepFrom } from '../port.ts';
import { SegmentMissingError } from './errors.ts';
import type { LogStore } from './log-store.ts';
import { SHARES_LANES } from './retention.ts';
import type { SqliteFile } from './sqlite-file.ts';
import {
  type SegmentRange,
  STORED_SEGMENTS,
  type StoredSegment,
  segmentParts,
  segmentRows,
} from './stored-segments.ts';

/** One file of the log: its defect, and the number of files. */
export interface FileCheck {
  readonly total: number;
  readonly problems: readonly string[];
}

/** Errors of a bucket that cannot be read now. */
const AWAY = [ObjectRefusedError, ObjectStoreError, S3LocationError];
/** Problems of one file that SQLite names. */
const MAX = 5;

/** Checks a file by its number: 0 is `log.sqlite`, the others are segments, sealed or not. */
export async function checkFile(store: LogStore, index: number): Promise<FileCheck> {
  const segments = store.log.all<StoredSegment>(`SELECT * FROM ${STORED_SEGMENTS} ORDER BY id`);
  const segment = segments[index - 1];
  const name = segment ? getPath(store, segment) : store.log.path;
  const total = segments.length + 1;
  try {
    return { total, problems: segment ? await checkSegment(store, segment, name) : checkLog(store, name) };
  } catch (error) {
    // A store that is away says nothing about the file.
    if (AWAY.some((type) => error instanceof type)) throw error;
    // A closed trim or sealing: the segment went between the listing and this.
    if (error instanceof SegmentMissingError && segment && !isNamed(store, segment))
      return { total, problems: [] };
    return { total, problems: [`${name}: ${error instanceof Error ? error.message : error}`] };
  }
}

function getPath({ segments, sealed }: LogStore, segment: StoredSegment): string {
  return (segment.sealed ? sealed : segments).path(segment);
}

function isNamed({ log }: LogStore, { id, sealed }: StoredSegment): boolean {
  return log.get(`SELECT 1 FROM ${STORED_SEGMENTS} WHERE id = ? AND sealed = ?`, id, sealed) !== undefined;
}

function quickCheck(file: SqliteFile, name: string): string[] {
  return file
    .all<{ quick_check: string }>(`PRAGMA quick_check(${MAX})`)
    .filter(({ quick_check }) => quick_check !== 'ok')
    .map(({ quick_check }) => `${name}: ${quick_check}`);
}

/** The runs of every lane follow one another up to its end, and no group is beyond it. */
function checkLog({ log }: LogStore, name: string): string[] {
  const problems = quickCheck(log, name);
  const runs = log.all<{
    topic: string;
    lane: number;
    first: number;
    next: number;
    end: number;
    before: number;
  }>(
    `SELECT r.topic, r.lane, r.first, r.next, l.next AS end,
       lag(r.next, 1, r.first) OVER (PARTITION BY r.topic, r.lane ORDER BY r.first) AS before
     FROM runs r JOIN lanes l USING (topic, lane)`,
  );
  for (const { topic, lane, first, next, end, before } of runs)
    if (first < before || next <= first || next > end)
      problems.push(
        `${name}: ${topic}, lane ${lane}: run ${first}..${next} after ${before}, the lane ends at ${end}`,
      );
  const ends = log.all<{ topic: string; lane: number; last: number; end: number }>(
    `SELECT r.topic, r.lane, max(r.next) AS last, l.next AS end FROM runs r JOIN lanes l USING (topic, lane)
     GROUP BY r.topic, r.lane HAVING last <> end`,
  );
  for (const { topic, lane, last, end } of ends)
    problems.push(`${name}: ${topic}, lane ${lane}: the last segment ends at ${last}, the lane at ${end}`);
  const beyond = log.all<{ topic: string; grp: string; lane: number; committed: number; end: number }>(
    `SELECT g.topic, g.grp, g.lane, g.committed, l.next AS end FROM group_lanes g JOIN lanes l USING (topic, lane)
     WHERE g.committed > l.next AND ${SHARES_LANES}`,
  );
  for (const { topic, grp, lane, committed, end } of beyond)
    problems.push(`${name}: group ${grp} is at ${committed} of ${topic}, lane ${lane}, which ends at ${end}`);
  return [...problems, ...checkPartitions(log, name)];
}

/** No partition is beyond the newest step. */
function checkPartitions(log: SqliteFile, name: string): readonly string[] {
  const partitions = log.all<{ topic: string; grp: string; lane: number; committed: number; tail: number }>(
    `SELECT g.topic, g.grp, g.lane, g.committed, coalesce(t.tail_position, -1) AS tail
     FROM group_lanes g JOIN topics t USING (topic) WHERE NOT ${SHARES_LANES}`,
  );
  return partitions
    .filter(({ committed, tail }) => committed > endOfChain({ tail }))
    .map(
      ({ topic, grp, lane, committed, tail }) =>
        `${name}: partition ${lane} of group ${grp} is at step ${stepFrom(committed)} of ${topic}, which ends with step ${tail}`,
    );
}

/** The segment holds every offset that is published in it, and the last one ends a step. */
async function checkSegment(
  store: LogStore,
  segment: StoredSegment,
  name: string,
): Promise<readonly string[]> {
  const runs = store.log.all<SegmentRange>(
    'SELECT first, next FROM runs WHERE segment = ? ORDER BY first',
    segment.id,
  );
  // Nothing was published in it yet: its file may not be there.
  if (runs.length === 0) return [];
  const problems = segment.sealed ? [] : quickCheck(store.segments.read(segment), name);
  for (const run of runs) problems.push(...(await checkRun(store, segment, run, name)));
  return problems;
}

async function checkRun(
  store: LogStore,
  segment: StoredSegment,
  run: SegmentRange,
  name: string,
): Promise<string[]> {
  const { first, next } = run;
  let count = 0;
  let end: number | undefined;
  for (const part of segmentParts(store, segment, run)) {
    const found = await store.sealed.frames.run(() => checkRows(store, segment, part, next - 1));
    count += found.count;
    end = found.end ?? end;
    // Others append and read between the parts.
    await setImmediate();
  }
  const problems: string[] = [];
  if (count !== next - first)
    problems.push(`${name}: ${count} records of ${next - first} at the offsets ${first}..${next}`);
  if (end !== undefined && end !== 1)
    problems.push(`${name}: the record at ${next - 1} does not end its step`);
  return problems;
}

/** Counts the records of a range. `end`: of the record at the offset `last`, whether it ends its step. */
function checkRows(store: LogStore, segment: StoredSegment, range: SegmentRange, last: number) {
  let count = 0;
  let end: number | undefined;
  // The checksums of a sealed file cover its values.
  for (const row of segmentRows(store, segment, range, !segment.sealed)) {
    count++;
    end = row.offset === last ? row.ends_step : end;
  }
  return { count, end };
}
