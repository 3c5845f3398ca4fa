import { RecordsDeletedError, UnreadableLogError } from '../../log/errors.ts';
import type { Bus, LogRecord, ReadLimit } from '../../log/port.ts';
import { joinRanges, type PositionRange } from '../ranges/position-ranges.ts';

const SOME = { records: 2_000, bytes: 16 << 20 } as const;
const ONE_STEP = { records: 1, bytes: 1 } as const;

/**
 * All records of a topic that the log keeps, lane by lane, some at a time. Records that cannot be read and deleted ones are
 * passed over: the caller wants what is left. A lane ends where nothing tells what comes after them.
 */
export async function* logRecords(
  bus: Bus,
  topic: string,
  signal: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  for (const { lane, first, next } of await bus.bounds(topic)) {
    for (let at = first; at < next; ) {
      signal.throwIfAborted();
      const { records, resume } = await readReadable(bus, { topic, lane, from: at });
      if (records.length > 0) yield records;
      if (resume === null || resume <= at) break;
      at = resume;
    }
  }
}

/** Readable records from an offset on, and where to continue; null if nothing is known to come after them. */
async function readReadable(
  bus: Bus,
  place: LanePlace,
): Promise<{ readonly records: readonly LogRecord[]; readonly resume: number | null }> {
  let resume: number | null = null;
  // A read fails as a whole: a step before the damage is read alone.
  for (const limit of [SOME, ONE_STEP]) {
    try {
      const records = await readRetained(bus, place, limit);
      const last = records.at(-1);
      return { records, resume: last ? last.offset + 1 : null };
    } catch (error) {
      if (!(error instanceof UnreadableLogError)) throw error;
      resume = error.next;
    }
  }
  return { records: [], resume };
}

interface LanePlace {
  readonly topic: string;
  readonly lane: number;
  readonly from: number;
}

/** Records of a lane from an offset on, or from the first one that is kept after it. */
export async function readRetained(
  bus: Bus,
  { topic, lane, from }: LanePlace,
  limit: ReadLimit,
): Promise<readonly LogRecord[]> {
  try {
    return await bus.read(topic, lane, from, limit);
  } catch (error) {
    if (!(error instanceof RecordsDeletedError) || error.next <= from) throw error;
    return readRetained(bus, { topic, lane, from: error.next }, limit);
  }
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
