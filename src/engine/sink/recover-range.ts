import type { JournalEntry } from '../../log/port.ts';
import type { Batch, BatchJournal } from './batch.ts';
import { confirmRange } from './confirm-range.ts';
import { differences, expectedRows, type RowCounts, type RowDifference } from './expected-rows.ts';
import { closeAttempts } from './fence.ts';
import { insertBatch } from './insert-batch.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { deleteRange, measureRange } from './measure-range.ts';
import { runRepairs } from './repairs.ts';
import { queryPrefix, route, type SinkContext } from './sink-context.ts';
import type { SinkDefinition } from './sink-definition.ts';

/** Parts that the recovery of an open range needs. */
export interface RangeRecovery {
  readonly context: SinkContext;
  readonly journal: BatchJournal;
  /** The batch of the range once more; may be called more than once. */
  readonly rebuild: () => Promise<Batch>;
  /** A further attempt was journalled. */
  readonly opened: (entry: JournalEntry) => void;
  /** As `Sink.write` has it. */
  readonly onVisible?: (() => void) | undefined;
}

/** A batch as a journal entry. */
export function toEntry(definition: SinkDefinition, batch: Batch, attempt: number): JournalEntry {
  const { lane, epoch, from, next, firstPosition, lastPosition } = batch;
  const expected = expectedRows(definition, batch);
  return { lane, epoch, from, next, firstPosition, lastPosition, attempt, expected };
}

/**
 * One pass over an open entry: confirms it, or returns the differences after it was inserted again. An earlier owner
 * cannot write any more after its attempts are closed and its statements killed; only then is the range measured.
 */
export async function recoverRange(
  recovery: RangeRecovery,
  entry: JournalEntry,
  watch: LeaseWatch,
): Promise<readonly RowDifference[]> {
  const { context, journal } = recovery;
  const { signal } = watch;
  watch.check();
  await closeAttempts(context, entry, signal);
  await context.client.killAndWait(queryPrefix(context, entry), { route: route(context, 'kill'), signal });
  const found = await measureRange(context, entry, signal);
  let open = entry;
  if (differences(entry.expected, found).length > 0) {
    open = await reinsert(recovery, entry, found, watch);
    const wrong = differences(open.expected, await measureRange(context, open, signal));
    if (wrong.length > 0) return wrong;
  }
  await runRepairs(context, open, signal);
  await confirmRange(context, open, signal, recovery.onVisible);
  await journal.confirm(open);
  return [];
}

/** Deletes what there is of the range and inserts it once more, as the next attempt: the delete is one of it, too. */
async function reinsert(
  recovery: RangeRecovery,
  entry: JournalEntry,
  found: RowCounts,
  watch: LeaseWatch,
): Promise<JournalEntry> {
  const { context, rebuild } = recovery;
  let open = await begin(recovery, { ...entry, attempt: entry.attempt + 1 });
  watch.check();
  await deleteRange(context, open, found, watch.signal);
  const batch = await rebuild();
  assertSameRange(open, batch);
  const rebuilt = toEntry(context.definition, batch, open.attempt + 1);
  // Measured by what was inserted: another version of the code may make other rows.
  if (differences(open.expected, rebuilt.expected).length > 0) open = await begin(recovery, rebuilt);
  await insertBatch(context, batch, open, watch);
  return open;
}

async function begin({ journal, opened }: RangeRecovery, entry: JournalEntry): Promise<JournalEntry> {
  await journal.begin(entry);
  opened(entry);
  return entry;
}

/** The rebuilt batch must be the journalled range: anything else would confirm offsets that were never written. */
function assertSameRange(entry: JournalEntry, batch: Batch): void {
  for (const key of ['lane', 'epoch', 'from', 'next', 'firstPosition', 'lastPosition'] as const) {
    if (entry[key] !== batch[key]) {
      throw new RangeError(`the rebuilt batch has ${key} ${batch[key]}, the journal ${entry[key]}`);
    }
  }
}
