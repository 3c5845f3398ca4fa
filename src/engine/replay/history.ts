import { type LogRecord, toOffset } from '../../log/port.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import type { StoredStep } from '../projection/stored-input.ts';
import { type PositionRange, splitByEpoch } from '../ranges/position-ranges.ts';
import type { Batch } from '../sink/batch.ts';
import type { Sink } from '../sink/sink.ts';
import type { ReplayJournal } from '../versions/replay-journal.ts';
import { StepReader, type StepSource } from './step-reader.ts';

/** Rows of some steps of one epoch. */
export interface ReplayedBatch {
  readonly batch: Batch;
  readonly blocks: number;
  readonly transactions: number;
  /** The rows are not needed any more. To be called once. */
  release(): void;
}

/** Decodes the records that `read` gives, all of one epoch, from an offset on, into batches that end with a step. */
export type DecodeRecords = (
  read: (from: number) => Promise<readonly LogRecord[]>,
  from: number,
) => AsyncIterable<ReplayedBatch>;

/** The right to build the version. */
export interface ReplayFence {
  /** Asked before every batch: throws where another process builds the version by now. */
  readonly check: (lane: number) => Promise<void>;
  /** As `BatchJournal.left`. */
  readonly left: (lane: number) => number;
}

export interface ReplayHistory {
  readonly source: StepSource;
  /** The steps of a range that are there to be decoded, ascending. */
  readonly steps: (range: PositionRange) => Promise<readonly StoredStep[]>;
  readonly ranges: readonly PositionRange[];
  readonly epochSize: number;
  /** Epochs at the same time. */
  readonly lanes: number;
  readonly decode: DecodeRecords;
  readonly sink: Sink;
  /** Started ranges; null in chain order, where interrupted work is after the confirmed range. */
  readonly journal: ReplayJournal | null;
  /** Partition of a projection in chain order whose rows are made. */
  readonly partition?: number;
  readonly fence: ReplayFence;
  readonly onBatch: (batch: Pick<ReplayedBatch, 'blocks' | 'transactions'>) => void;
}

/** Decodes stored records of one partition in the order of the chain; resolves when all of its rows are confirmed. */
export async function replayPartition(history: ReplayHistory, signal: AbortSignal): Promise<void> {
  const epochs = [...splitByEpoch(history.ranges, history.epochSize)].sort(([a], [b]) => a - b);
  for (const [epoch, ranges] of epochs)
    for (const range of ranges) await replayRange(history, epoch, range, signal);
}

/** Decodes stored blocks of the ranges once more and writes their rows; resolves when all of them are confirmed. */
export async function replayHistory(history: ReplayHistory): Promise<void> {
  const epochs = [...splitByEpoch(history.ranges, history.epochSize)].sort(([a], [b]) => a - b);
  const stop = new AbortController();
  const signal = AbortSignal.any([history.source.signal, stop.signal]);
  const lane = async () => {
    for (let work = epochs.shift(); work; work = epochs.shift()) {
      const [epoch, ranges] = work;
      for (const range of ranges) await replayRange(history, epoch, range, signal);
    }
  };
  const lanes = Array.from({ length: history.lanes }, lane);
  try {
    await Promise.all(lanes);
  } finally {
    // One lane's failure ends the others after the batch under way.
    stop.abort();
    epochs.length = 0;
    await Promise.allSettled(lanes);
  }
}

async function replayRange(
  history: ReplayHistory,
  epoch: number,
  range: PositionRange,
  signal: AbortSignal,
): Promise<void> {
  const { source, decode } = history;
  const stored = await retryStore(() => history.steps(range), source);
  const steps = withInputSteps(stored, source, range);
  if (steps.length === 0) return;
  const reader = new StepReader(source, epoch, steps);
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const decoded of decode((from) => reader.read(from), toOffset(range.first))) {
      try {
        await writing;
        signal.throwIfAborted();
      } catch (error) {
        decoded.release();
        throw error;
      }
      writing = write(history, decoded, signal);
      // Met at the next batch, or at the end.
      writing.catch(() => {});
    }
  } finally {
    await writing;
  }
}

/** Steps that consist of what `raw_blocks` has not, too. */
function withInputSteps(
  steps: readonly StoredStep[],
  { inputs }: StepSource,
  { first, last }: PositionRange,
): readonly StoredStep[] {
  const known = new Set(steps.map(({ position }) => position));
  const others = [...inputs.keys()].filter((at) => at >= first && at <= last && !known.has(at));
  return [...steps, ...others.map((position) => ({ position, bytes: 0, transactions: 0 }))].sort(
    (a, b) => a.position - b.position,
  );
}

async function write(
  { source, sink, journal, partition, fence, onBatch }: ReplayHistory,
  decoded: ReplayedBatch,
  signal: AbortSignal,
): Promise<void> {
  const batch = partition === undefined ? decoded.batch : { ...decoded.batch, lane: partition };
  const range = { first: batch.firstPosition, last: batch.lastPosition };
  try {
    await sink.write(
      batch,
      {
        begin: async ({ attempt }) => {
          // A later attempt's range is already recorded.
          if (attempt === 1 && journal)
            await retryStore(() => journal.record('begun', range), { ...source, signal });
          // Last: after a wait for the store, another process may build the version.
          await fence.check(batch.lane);
        },
        confirm: async () => {},
        left: () => fence.left(batch.lane),
      },
      signal,
    );
    onBatch(decoded);
  } finally {
    decoded.release();
  }
}
