import type { LogStore } from '../log-store.ts';
import { SHARES_LANES } from '../retention.ts';
import { STORED_SEGMENTS } from '../stored-segments.ts';
import { ensureTopic, laneEnd } from '../topics.ts';
import type { ForeignFile } from './foreign-file.ts';
import { nameSealed, raiseVersion } from './seal-segment.ts';

/** Version of `log.sqlite` in which sealed files may have other offsets than their log: earlier programs refuse it. */
const JOINED_VERSION = 3;

/** True if a file can keep its number and its offsets here. */
export function isNativeFree({ log }: LogStore, { segment, runs }: ForeignFile): boolean {
  const { id, topic, lane } = segment;
  if (log.get(`SELECT 1 FROM ${STORED_SEGMENTS} WHERE id = ?`, id)) return false;
  return runs.every(
    ({ first, next }) =>
      !log.get(
        'SELECT 1 FROM runs WHERE topic = ? AND lane = ? AND first < ? AND next > ?',
        ...[topic, lane, next, first],
      ),
  );
}

/** A number that no segment has, or gets later. */
export function reserveNumber({ log }: LogStore): number {
  return log.transaction(() => {
    const next = (readSequence(log) ?? 0) + 1;
    reserve(log, next);
    return next;
  });
}

/** The log's directory names a file that keeps its number and offsets. */
export function nameNative(store: LogStore, file: ForeignFile): void {
  ensureTopic(store, file.segment.topic, 'steps');
  store.log.transaction(() => {
    nameRuns(store, file, file.segment.id, 0);
    reserve(store.log, file.segment.id);
  });
}

/**
 * The log's directory names a file under a new number. Its records come after those of the lane, and groups at the end of the lane
 * pass them.
 */
export function nameAtEnd(store: LogStore, file: ForeignFile, id: number): void {
  const { log } = store;
  const { topic, lane, id: origin } = file.segment;
  ensureTopic(store, topic, 'steps');
  log.transaction(() => {
    const end = laneEnd(store, topic, lane);
    const shift = end - (file.runs[0]?.first ?? 0);
    nameRuns(store, file, id, shift);
    log.run('INSERT INTO joined VALUES (?, ?, ?)', id, origin, shift);
    raiseVersion(log, JOINED_VERSION);
    log.run(
      `UPDATE group_lanes AS g SET committed = ? WHERE topic = ? AND lane = ? AND committed = ? AND ${SHARES_LANES}`,
      laneEnd(store, topic, lane),
      topic,
      lane,
      end,
    );
  });
}

function nameRuns({ log }: LogStore, file: ForeignFile, id: number, shift: number): void {
  const { topic, lane } = file.segment;
  for (const run of file.runs) {
    const [first, next] = [run.first + shift, run.next + shift];
    log.run('INSERT INTO runs VALUES (?, ?, ?, ?, ?)', topic, lane, first, next, id);
    log.run('UPDATE lanes SET next = max(next, ?) WHERE topic = ? AND lane = ?', next, topic, lane);
  }
  nameSealed(log, { ...file.segment, id }, file);
}

function readSequence(log: LogStore['log']): number | undefined {
  return log.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'segments'")?.seq;
}

/** Segments that are made later have higher numbers. */
function reserve(log: LogStore['log'], id: number): void {
  const known = readSequence(log);
  if (known === undefined) log.run("INSERT INTO sqlite_sequence VALUES ('segments', ?)", id);
  else if (known < id) log.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'segments'", id);
}
