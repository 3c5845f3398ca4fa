import type { JournalEntry, LaneLease } from '../port.ts';
import { JournalConflictError } from './errors.ts';
import {
  type ConsumerHandle,
  checkLease,
  checkLiveLease,
  freeLane,
  type LaneRow,
  laneResource,
} from './lane-lease.ts';
import type { LogStore } from './log-store.ts';
import { findRun } from './read-records.ts';
import { findTopic, laneEnd } from './topics.ts';

interface JournalRow {
  readonly lane: number;
  readonly epoch: number;
  readonly first: number;
  readonly next: number;
  readonly first_position: number;
  readonly last_position: number;
  readonly attempt: number;
  readonly expected: string;
}

const describe = ({ epoch, from, next, attempt }: JournalEntry) =>
  `${from}..${next} of epoch ${epoch}, attempt ${attempt}`;

function readPending({ log }: LogStore, { topic, group }: ConsumerHandle, lane: number): JournalEntry | null {
  const row = log.get<JournalRow>(
    `SELECT lane, epoch, first, next, first_position, last_position, attempt, expected FROM journal
     WHERE topic = ? AND grp = ? AND lane = ?`,
    topic,
    group,
    lane,
  );
  if (!row) return null;
  return {
    lane: row.lane,
    epoch: row.epoch,
    from: row.first,
    next: row.next,
    firstPosition: row.first_position,
    lastPosition: row.last_position,
    attempt: row.attempt,
    expected: JSON.parse(row.expected) as Record<string, number>,
  };
}

/** Records the intent of a batch; the same range again only with a higher attempt. */
export function journalBatch(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
  entry: JournalEntry,
): void {
  store.log.transaction(() => {
    const row = checkLiveLease(store, consumer, lease);
    const pending = readPending(store, consumer, lease.lane);
    if (pending) checkRepeat(consumer, pending, entry);
    else checkRange(store, consumer, row, entry);
    store.log.run(
      'REPLACE INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      consumer.topic,
      consumer.group,
      entry.lane,
      entry.epoch,
      entry.from,
      entry.next,
      entry.firstPosition,
      entry.lastPosition,
      entry.attempt,
      JSON.stringify(entry.expected),
    );
  });
}

function checkRepeat(consumer: ConsumerHandle, pending: JournalEntry, entry: JournalEntry): void {
  const same = (['lane', 'epoch', 'from', 'next'] as const).every((field) => pending[field] === entry[field]);
  if (!same || entry.attempt <= pending.attempt)
    throw new JournalConflictError(
      laneResource(consumer, pending.lane),
      `${describe(pending)} to be confirmed or tried again with a higher attempt`,
      describe(entry),
    );
}

/** A batch starts where the last one ended and stays within one run: nothing between is skipped or mixed. */
function checkRange(store: LogStore, consumer: ConsumerHandle, row: LaneRow, entry: JournalEntry): void {
  const conflict = (expected: string) =>
    new JournalConflictError(
      laneResource(consumer, row.lane),
      expected,
      `lane ${entry.lane}, ${describe(entry)}`,
    );
  if (entry.lane !== row.lane) throw conflict(`lane ${row.lane}`);
  if (findTopic(store, consumer.topic)?.kind === 'records') {
    if (entry.from !== row.committed) throw conflict(`a batch from offset ${row.committed}`);
    if (entry.next <= entry.from || entry.next > laneEnd(store, consumer.topic, row.lane))
      throw conflict('a range of published offsets');
    return;
  }
  const run = findRun(store, consumer.topic, row.lane, row.committed);
  if (!run) throw conflict(`nothing: no record at or behind offset ${row.committed}`);
  const first = Math.max(row.committed, run.first);
  if (entry.from !== row.committed && entry.from !== first) throw conflict(`a batch from offset ${first}`);
  if (entry.epoch !== run.epoch || entry.next <= first || entry.next > run.next)
    throw conflict(`a range within ${first}..${run.next} of epoch ${run.epoch}`);
}

/** What was journalled and not confirmed, by this member or one before it. */
export function pendingBatch(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
): JournalEntry | null {
  checkLease(store, consumer, lease);
  return readPending(store, consumer, lease.lane);
}

/** The batch is in the sink: the entry goes and the committed offset moves, together. */
export function confirmBatch(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
  entry: JournalEntry,
): void {
  const { topic, group } = consumer;
  store.log.transaction(() => {
    const row = checkLease(store, consumer, lease);
    const pending = readPending(store, consumer, row.lane);
    const expected = pending ? describe(pending) : 'nothing to confirm';
    if (!pending || expected !== describe(entry) || entry.lane !== row.lane)
      throw new JournalConflictError(laneResource(consumer, row.lane), expected, describe(entry));
    store.log.run('DELETE FROM journal WHERE topic = ? AND grp = ? AND lane = ?', topic, group, row.lane);
    setCommitted(store, consumer, row, entry.next);
  });
}

/** Moves the committed offset of a lane without a journal; forwards only, up to the published end. */
export function commitOffset(
  store: LogStore,
  consumer: ConsumerHandle,
  lease: LaneLease,
  next: number,
): void {
  store.log.transaction(() => {
    const row = checkLease(store, consumer, lease);
    const resource = laneResource(consumer, row.lane);
    const pending = readPending(store, consumer, row.lane);
    if (pending) throw new JournalConflictError(resource, `${describe(pending)} confirmed`, `commit ${next}`);
    const end = laneEnd(store, consumer.topic, row.lane);
    if (!Number.isSafeInteger(next) || next < row.committed || next > end)
      throw new JournalConflictError(resource, `an offset within ${row.committed}..${end}`, String(next));
    setCommitted(store, consumer, row, next);
  });
}

function setCommitted(store: LogStore, consumer: ConsumerHandle, row: LaneRow, committed: number): void {
  store.log.run(
    'UPDATE group_lanes SET committed = ? WHERE topic = ? AND grp = ? AND lane = ?',
    committed,
    consumer.topic,
    consumer.group,
    row.lane,
  );
  // The lane was taken back for another member and waited for this batch only.
  if (row.revoked === 1) freeLane(store, consumer, row.lane);
}
