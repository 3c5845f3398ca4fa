import { DataError } from '../../platform/errors/error-kinds.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { deleteRange, measureRange } from '../sink/measure-range.ts';
import { createSink } from '../sink/sink.ts';
import type { SinkContext } from '../sink/sink-context.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import type { DecodeRecords, ReplayHistory } from './history.ts';
import { replayPartition } from './history.ts';

/** State is carried from step to step: a history with a hole in it has no order of the chain. */
export class HistoryGapError extends DataError {
  readonly ranges: readonly PositionRange[];
  constructor(ranges: readonly PositionRange[]) {
    const spans = ranges.map(({ first, last }) => `${first} to ${last}`).join(', ');
    super(`a projection in chain order is built from one gapless range; the index has ${spans || 'none'}`);
    this.ranges = ranges;
  }
}

export interface PartitionedReplay {
  readonly partitions: number;
  readonly context: SinkContext;
  /** Decoded range, without gaps. */
  readonly ranges: readonly PositionRange[];
  /** Decodes for a partition whose rows below `next` are in the database. */
  readonly decodeFor: (partition: number, next: number) => DecodeRecords;
  readonly history: Omit<ReplayHistory, 'decode' | 'sink' | 'journal' | 'partition' | 'ranges'>;
}

/** Builds the partitions of a version in parallel, each from its last position. */
export async function replayPartitions(replay: PartitionedReplay, signal: AbortSignal): Promise<void> {
  const [range, ...others] = replay.ranges;
  if (!range || others.length > 0) throw new HistoryGapError(replay.ranges);
  const waiting = Array.from({ length: replay.partitions }, (_, partition) => partition);
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const lane = async () => {
    for (let partition = waiting.shift(); partition !== undefined; partition = waiting.shift())
      await replayOne(replay, range, partition, ended);
  };
  const lanes = Array.from({ length: replay.history.lanes }, lane);
  try {
    await Promise.all(lanes);
  } finally {
    // One partition's failure ends the others after the batch under way.
    stop.abort();
    waiting.length = 0;
    await Promise.allSettled(lanes);
  }
}

/** Deletes rows of an interrupted batch of the context's partition: they are after the confirmed range. */
export async function deleteUnconfirmed(
  context: SinkContext,
  next: number,
  signal: AbortSignal,
): Promise<void> {
  const { partition: lane = 0 } = context;
  const rest = { lane, from: next, firstPosition: next, lastPosition: 2 ** 32 - 1, attempt: 1 };
  await deleteRange(context, rest, await measureRange(context, rest, signal), signal);
}

/** Builds one partition of a range, from its last position. */
export async function replayOne(
  replay: PartitionedReplay,
  { first, last }: PositionRange,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const context = { ...replay.context, partition };
  const islands = await readIslands(context.client, context.database, partition);
  const done = islands.find((island) => island.first <= first && island.last >= first);
  const next = done ? done.last + 1 : first;
  if (next > last) return;
  await deleteUnconfirmed(context, next, signal);
  await replayPartition(
    {
      ...replay.history,
      ranges: [{ first: next, last }],
      decode: replay.decodeFor(partition, next),
      sink: createSink(context),
      journal: null,
      partition,
    },
    signal,
  );
}
