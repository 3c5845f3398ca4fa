import type { JournalEntry } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { isRetriable } from '../../platform/errors/error-outcome.ts';
import { retry } from '../../platform/retry/retry.ts';
import type { Batch, BatchJournal } from './batch.ts';
import { confirmRange } from './confirm-range.ts';
import { cutBatch } from './cut-batch.ts';
import { differences, type RowDifference } from './expected-rows.ts';
import { insertBatch } from './insert-batch.ts';
import { type LeaseWatch, whileHeld } from './lease-watch.ts';
import { measureRange } from './measure-range.ts';
import { type RangeRecovery, recoverRange, toEntry } from './recover-range.ts';
import { type Repair, runRepairs } from './repairs.ts';
import { queryPrefix, type SinkContext, type Tenure } from './sink-context.ts';
import type { SinkDefinition } from './sink-definition.ts';

export interface SinkOptions {
  readonly client: StoreClient;
  /** Database of the projection version, e.g. `mainnet_base_v7`. */
  readonly database: string;
  /** Table of closed attempts, qualified (`getFencesTable`). */
  readonly fences: string;
  /** Consumer group of the stage. */
  readonly group: string;
  readonly definition: SinkDefinition;
  /** Partition of a projection in chain order: counted targets have the column `part`. */
  readonly partition?: number;
  /** As in `SinkContext`. */
  readonly tenure?: Tenure;
  /** As in `SinkContext`. Default false: each insert carries its condition. */
  readonly isGated?: boolean;
  /** From `readRepairs`. */
  readonly repairs: readonly Repair[];
  /** Landing tables inserted at the same time. Default 3. */
  readonly concurrency?: number;
  /** First pause after a transient failure, ms; doubles up to 2 s. Default 200. */
  readonly backOffMs?: number;
  readonly log?: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Starts the timer of an insert into a landing table; the result stops it. Default: none. */
  readonly timeInsert?: ((table: string) => () => void) | undefined;
}

/** Exactly-once writer of batches (design: a range is journalled, inserted, confirmed; else measured and made whole). */
export interface Sink {
  /**
   * Writes a batch that was not journalled before, and resolves when it is confirmed. While the store is away it
   * retries until `signal` aborts; the batch then stays journalled, for `recover`. Columns of the batch must not change
   * until it settles. `onVisible` is called when readers see the range, before the journal has confirmed it; more than
   * once after retries.
   */
  write(batch: Batch, journal: BatchJournal, signal: AbortSignal, onVisible?: () => void): Promise<void>;
  /**
   * Finishes the work of an unclean stop: measures the entry's range, and confirms it if it is complete. Otherwise it
   * deletes the range and inserts the result of `rebuild`, which may be called more than once.
   */
  recover(
    entry: JournalEntry,
    journal: BatchJournal,
    rebuild: () => Promise<Batch>,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Adds rows at positions with other rows, which cannot be measured then: interrupted work stays, and the next call
   * deletes it.
   */
  add(batch: Batch, signal: AbortSignal): Promise<void>;
  /** Targets whose rows for the range differ from what the entry expects. */
  verify(entry: JournalEntry, signal: AbortSignal): Promise<readonly RowDifference[]>;
}

/** A range does not have the expected rows even after it was deleted and inserted again: the definition is wrong. */
export class SinkMismatchError extends DataError {
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

/** Facts of a journal entry for a log line. */
function getRange({ lane, from, next, attempt }: JournalEntry) {
  return { lane, from, next, attempt };
}

/** Passes over an open entry until it is confirmed. */
async function recover(
  recovery: Omit<RangeRecovery, 'opened'> & { readonly backOffMs: number },
  first: JournalEntry,
  watch: LeaseWatch,
): Promise<void> {
  const { context, backOffMs } = recovery;
  let entry = first;
  let mismatches = 0;
  const opened = (next: JournalEntry) => {
    entry = next;
  };
  const pass = async () => {
    const wrong = await recoverRange({ ...recovery, opened }, entry, watch);
    if (wrong.length > 0) throw new SinkMismatchError(entry, wrong);
  };
  await retry(pass, {
    signal: watch.signal,
    firstPauseMs: backOffMs,
    longestPauseMs: MAX_BACK_OFF_MS,
    isRetriable: (error) =>
      error instanceof SinkMismatchError ? ++mismatches < MAX_MISMATCHES : isRetriable(error),
    onRetry: (error, pauseMs) =>
      context.log(
        error instanceof SinkMismatchError
          ? 'a range has other rows than expected after an insert'
          : 'the store failed during a recovery; retrying',
        { ...getRange(entry), error, pauseMs },
      ),
  });
}

/** Inserts and confirms a batch that is journalled; measures it where what reached the targets is not known. */
async function insert(
  recovery: Omit<RangeRecovery, 'opened'> & { readonly backOffMs: number },
  batch: Batch,
  entry: JournalEntry,
  watch: LeaseWatch,
): Promise<void> {
  const { context, journal } = recovery;
  try {
    await insertBatch(context, batch, entry, watch);
    await confirmRange(context, entry, watch.signal, recovery.onVisible);
  } catch (error) {
    if (!isRetriable(error)) throw error;
    context.log('an insert failed; the range will be measured', { ...getRange(entry), error });
    return recover(recovery, entry, watch);
  }
  await journal.confirm(entry);
}

/** Creates the writer of one stage and projection version; nothing is sent yet. */
export function createSink(options: SinkOptions): Sink {
  const context: SinkContext = {
    client: options.client,
    database: options.database,
    fences: options.fences,
    group: options.group,
    definition: options.definition,
    repairs: options.repairs,
    ...(options.partition !== undefined && { partition: options.partition }),
    ...(options.tenure && { tenure: options.tenure }),
    ...(options.isGated && { isGated: true }),
    concurrency: options.concurrency ?? 3,
    log: options.log ?? (() => {}),
    timeInsert: options.timeInsert,
  };
  const backOffMs = options.backOffMs ?? 200;
  const cut = (batch: Batch) => cutBatch(context.definition, batch);
  const held = (entry: JournalEntry, journal: BatchJournal) => ({
    range: queryPrefix(context, entry),
    left: () => journal.left(),
  });
  return {
    write: async (uncut, journal, signal, onVisible) => {
      const batch = cut(uncut);
      const entry = toEntry(context.definition, batch, 1);
      await journal.begin(entry);
      const recovery = { context, journal, rebuild: async () => batch, backOffMs, onVisible };
      await whileHeld(held(entry, journal), signal, (watch) => insert(recovery, batch, entry, watch));
    },
    recover: (entry, journal, rebuild, signal) =>
      whileHeld(held(entry, journal), signal, (watch) =>
        recover({ context, journal, rebuild: async () => cut(await rebuild()), backOffMs }, entry, watch),
      ),
    add: async (uncut, signal) => {
      const batch = cut(uncut);
      const entry = toEntry(context.definition, batch, 1);
      await insertBatch(context, batch, entry, { signal, check: () => {} });
      await runRepairs(context, entry, signal);
      await confirmRange(context, entry, signal);
    },
    verify: async (entry, signal) => differences(entry.expected, await measureRange(context, entry, signal)),
  };
}
