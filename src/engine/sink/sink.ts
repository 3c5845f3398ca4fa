import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { isTransient } from '../../platform/clickhouse/store-errors.ts';
import type { Batch, BatchJournal } from './batch.ts';
import { confirmRange } from './confirm-range.ts';
import { differences, expectedRows, type RowDifference } from './expected-rows.ts';
import { insertBatch } from './insert-batch.ts';
import { deleteRange, measureRange } from './measure-range.ts';
import { type Repair, runRepairs } from './repairs.ts';
import { queryPrefix, route, type SinkContext } from './sink-context.ts';
import type { SinkDefinition } from './sink-definition.ts';

export interface SinkOptions {
  readonly client: StoreClient;
  /** Database of the projection version, e.g. `mainnet_base_v7`. */
  readonly database: string;
  /** Consumer group of the stage. */
  readonly group: string;
  readonly definition: SinkDefinition;
  /** Of a projection in chain order: counted targets have the column `part`. */
  readonly partition?: number;
  /** From `readRepairs`. */
  readonly repairs: readonly Repair[];
  /** Landing tables inserted at the same time. Default 3. */
  readonly concurrency?: number;
  /** First pause after a transient failure, ms; doubles up to 2 s. Default 200. */
  readonly backOffMs?: number;
  readonly log?: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** Exactly-once writer of batches (design: a range is journalled, inserted, confirmed; else measured and made whole). */
export interface Sink {
  /**
   * Writes a batch that was not journalled before, and resolves when it is confirmed. While the store is away it
   * goes on trying until `signal` aborts; the batch then stays journalled, for `recover`. Columns of the batch must
   * stay as they are until it settles.
   */
  write(batch: Batch, journal: BatchJournal, signal: AbortSignal): Promise<void>;
  /**
   * Finishes what an unclean stop left: measures the entry's range, confirms it where it is whole, and otherwise
   * deletes it and inserts what `rebuild` gives. `rebuild` may be called more than once.
   */
  recover(
    entry: JournalEntry,
    journal: BatchJournal,
    rebuild: () => Promise<Batch>,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Adds rows to positions where others stand, which cannot be measured then: what is cut off is left as it is, to be
   * deleted by whoever adds again.
   */
  add(batch: Batch, signal: AbortSignal): Promise<void>;
  /** Targets whose rows for the range differ from what the entry expects. */
  verify(entry: JournalEntry, signal: AbortSignal): Promise<readonly RowDifference[]>;
}

/** A range does not have the expected rows even after it was deleted and inserted again: the definition is wrong. */
export class SinkMismatchError extends Error {
  override readonly name = 'SinkMismatchError';
  readonly entry: JournalEntry;
  readonly differences: readonly RowDifference[];

  constructor(entry: JournalEntry, found: readonly RowDifference[]) {
    const rows = found.map((row) => `${row.table}: expected ${row.expected}, found ${row.found}`).join('; ');
    super(
      `lane ${entry.lane}, offsets ${entry.from}…${entry.next}, positions ${entry.firstPosition}…${entry.lastPosition}, attempt ${entry.attempt}: ${rows}`,
    );
    this.entry = entry;
    this.differences = found;
  }
}

/** A store that was away is asked for again soon after it is back. */
const MAX_BACK_OFF_MS = 2_000;
/** Inserts of one recovery that leave wrong counts, before it is the definition that must be wrong. */
const MAX_MISMATCHES = 3;

function entryOf(definition: SinkDefinition, batch: Batch, attempt: number): JournalEntry {
  const { lane, epoch, from, next, firstPosition, lastPosition } = batch;
  return {
    lane,
    epoch,
    from,
    next,
    firstPosition,
    lastPosition,
    attempt,
    expected: expectedRows(definition, batch),
  };
}

/** What a log line says of an entry. */
function rangeOf({ lane, from, next, attempt }: JournalEntry) {
  return { lane, from, next, attempt };
}

/** The rebuilt batch must be the journalled range: anything else would confirm offsets that were never written. */
function assertSameRange(entry: JournalEntry, batch: Batch): void {
  for (const key of ['lane', 'epoch', 'from', 'next', 'firstPosition', 'lastPosition'] as const) {
    if (entry[key] !== batch[key]) {
      throw new RangeError(`the rebuilt batch has ${key} ${batch[key]}, the journal ${entry[key]}`);
    }
  }
}

/** One pass over an open entry: confirms it, or answers what differs after it was inserted again. */
async function recoverOnce(
  context: SinkContext,
  entry: JournalEntry,
  journal: BatchJournal,
  rebuild: () => Promise<Batch>,
  signal: AbortSignal,
  opened: (entry: JournalEntry) => void,
): Promise<readonly RowDifference[]> {
  await context.client.killAndWait(queryPrefix(context, entry), { route: route(context, 'kill'), signal });
  const found = await measureRange(context, entry, signal);
  let open = entry;
  if (differences(entry.expected, found).length > 0) {
    await deleteRange(context, entry, found, signal);
    const batch = await rebuild();
    assertSameRange(entry, batch);
    open = entryOf(context.definition, batch, entry.attempt + 1);
    await journal.begin(open);
    opened(open);
    await insertBatch(context, batch, open, signal);
    const wrong = differences(open.expected, await measureRange(context, open, signal));
    if (wrong.length > 0) return wrong;
  }
  await runRepairs(context, open, signal);
  await confirmRange(context, open, signal);
  await journal.confirm(open);
  return [];
}

async function recover(
  context: SinkContext,
  backOffMs: number,
  first: JournalEntry,
  journal: BatchJournal,
  rebuild: () => Promise<Batch>,
  signal: AbortSignal,
): Promise<void> {
  let entry = first;
  let mismatches = 0;
  for (let pause = backOffMs; ; pause = Math.min(pause * 2, MAX_BACK_OFF_MS)) {
    signal.throwIfAborted();
    try {
      const wrong = await recoverOnce(context, entry, journal, rebuild, signal, (opened) => {
        entry = opened;
      });
      if (wrong.length === 0) return;
      if (++mismatches === MAX_MISMATCHES) throw new SinkMismatchError(entry, wrong);
      context.log('a range has other rows than expected after an insert', { ...rangeOf(entry), wrong });
    } catch (error) {
      if (!isTransient(error)) throw error;
      context.log('the store failed during a recovery; trying again', {
        ...rangeOf(entry),
        error,
        pauseMs: pause,
      });
    }
    await sleep(pause, undefined, { signal });
  }
}

/** Creates the writer of one stage and projection version; nothing is sent yet. */
export function createSink(options: SinkOptions): Sink {
  const context: SinkContext = {
    client: options.client,
    database: options.database,
    group: options.group,
    definition: options.definition,
    repairs: options.repairs,
    concurrency: options.concurrency ?? 3,
    log: options.log ?? (() => {}),
  };
  const backOffMs = options.backOffMs ?? 200;
  return {
    write: async (batch, journal, signal) => {
      const entry = entryOf(context.definition, batch, 1);
      await journal.begin(entry);
      try {
        await insertBatch(context, batch, entry, signal);
        await confirmRange(context, entry, signal);
      } catch (error) {
        if (!isTransient(error)) throw error;
        // What reached the targets is not known: find out.
        context.log('an insert failed; the range will be measured', { ...rangeOf(entry), error });
        await recover(context, backOffMs, entry, journal, async () => batch, signal);
        return;
      }
      await journal.confirm(entry);
    },
    recover: (entry, journal, rebuild, signal) =>
      recover(context, backOffMs, entry, journal, rebuild, signal),
    add: async (batch, signal) => {
      const entry = entryOf(context.definition, batch, 1);
      await insertBatch(context, batch, entry, signal);
      await runRepairs(context, entry, signal);
      await confirmRange(context, entry, signal);
    },
    verify: async (entry, signal) => differences(entry.expected, await measureRange(context, entry, signal)),
  };
}
