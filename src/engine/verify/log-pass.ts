import { RecordsDeletedError, UnreadableLogError } from '../../log/errors.ts';
import type { Bus, LogRecord, ReadLimit } from '../../log/port.ts';
import { joinRanges, type PositionRange } from '../ranges/position-ranges.ts';

const SOME = { records: 2_000, bytes: 16 << 20 } as const;

/**
 * All records of a topic that the log keeps, lane by lane, some at a time. A lane of which something cannot be read
 * ends there, and deleted records are passed over: the caller wants what is left.
 */
export async function* logRecords(
  bus: Bus,
  topic: string,
  signal: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  for (const { lane, first, next } of await bus.bounds(topic)) {
    for (let at = first; at < next; ) {
      signal.throwIfAborted();
      const records = await readRetained(bus, { topic, lane, from: at }, SOME).catch(unreadable);
      if (records.length === 0) break;
      yield records;
      at = (records.at(-1)?.offset ?? at) + 1;
    }
  }
}

/** Records of a lane from an offset on, or from the first one that is kept after it. */
export async function readRetained(
  bus: Bus,
  { topic, lane, from }: { readonly topic: string; readonly lane: number; readonly from: number },
  limit: ReadLimit,
): Promise<readonly LogRecord[]> {
  try {
    return await bus.read(topic, lane, from, limit);
  } catch (error) {
    if (!(error instanceof RecordsDeletedError) || error.next <= from) throw error;
    return readRetained(bus, { topic, lane, from: error.next }, limit);
  }
}

function unreadable(error: unknown): readonly LogRecord[] {
  if (error instanceof UnreadableLogError) return [];
  throw error;
}

/** Offsets that a group has passed, by lane. */
export async function committedOffsets(
  bus: Bus,
  topic: string,
  group: string,
): Promise<ReadonlyMap<number, number>> {
  const lanes = (await bus.lag()).filter((lag) => lag.topic === topic && lag.group === group);
  return new Map(lanes.map(({ lane, committed }) => [lane, committed]));
}

/** Positions as ranges, joined as they come. */
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
