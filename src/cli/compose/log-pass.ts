import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { joinRanges, type PositionRange } from '../../engine/ranges/position-ranges.ts';
import type { Bus, LogRecord } from '../../log/port.ts';
import { LogStorageError, NotALogFileError, SegmentMissingError } from '../../log/sqlite/errors.ts';

const SOME = { records: 2_000, bytes: 16 << 20 } as const;

/**
 * All records of `raw-blocks` that the log keeps, lane by lane, some at a time. A lane of which something cannot be read
 * ends there: whoever asks wants what is left.
 */
export async function* logRecords(bus: Bus, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
  for (const { lane, first, next } of await bus.bounds(RAW_BLOCKS)) {
    for (let at = first; at < next; ) {
      signal.throwIfAborted();
      const records = await bus.read(RAW_BLOCKS, lane, at, SOME).catch(unreadable);
      if (records.length === 0) break;
      yield records;
      at = (records.at(-1)?.offset ?? at) + 1;
    }
  }
}

function unreadable(error: unknown): readonly LogRecord[] {
  if (error instanceof LogStorageError || error instanceof SegmentMissingError) return [];
  if (error instanceof NotALogFileError) return [];
  throw error;
}

/** Offsets that a group has behind it, by lane. */
export async function committedOffsets(bus: Bus, group: string): Promise<ReadonlyMap<number, number>> {
  const lanes = (await bus.lag()).filter((lag) => lag.topic === RAW_BLOCKS && lag.group === group);
  return new Map(lanes.map(({ lane, committed }) => [lane, committed]));
}

/** Positions that were met, put together as they come. */
export class MetPositions {
  #ranges: PositionRange[] = [];

  add(positions: readonly number[]): void {
    const met = [...new Set(positions)].map((position) => ({ first: position, last: position }));
    this.#ranges = joinRanges([...this.#ranges, ...joinRanges(met)]);
  }

  get ranges(): readonly PositionRange[] {
    return this.#ranges;
  }
}
