import type { JournalEntry, LogRecord } from '../../port.ts';
import type { StepsTopic } from '../topics/steps-topic.ts';
import type { OpenTopic } from '../topics/topic-registry.ts';

/**
 * The position of the next record after an offset, for recent reads of each lane: transaction markers may lie between a
 * committed offset and the next record.
 */
export class SeenGaps {
  readonly #byLane = new Map<number, Map<number, number>>();

  /** A read from `wantedOffset` gave these records. */
  add(lane: number, wantedOffset: number, records: readonly LogRecord[]): void {
    const gaps = this.#byLane.get(lane) ?? new Map<number, number>();
    this.#byLane.set(lane, gaps);
    let expected = wantedOffset;
    for (const { offset } of records) {
      if (offset !== expected) gaps.set(expected, offset);
      expected = offset + 1;
    }
    for (const gap of gaps.keys()) {
      if (gaps.size <= MAX_GAPS) return;
      gaps.delete(gap);
    }
  }

  /** Offset of the first record from `offset` on, if a read showed a gap. */
  behind(lane: number, offset: number): number | undefined {
    return this.#byLane.get(lane)?.get(offset);
  }
}

/** A stage reads ahead of what it journals; what is not remembered is looked up. */
const MAX_GAPS = 20_000;

/**
 * Problem of a batch to journal while `committed` is the lane's committed offset, or null. It must begin with the first
 * record from there on and stay within one run, so that nothing is skipped or mixed.
 */
export async function problemOfRange(
  topic: OpenTopic,
  entry: JournalEntry,
  committed: number,
  gaps: SeenGaps,
): Promise<string | null> {
  if (topic.kind === 'steps') return problemOfSteps(topic, entry, committed, gaps);
  const end = await topic.end();
  if (entry.from !== committed) return `a batch from offset ${committed}`;
  return entry.next > entry.from && entry.next <= end ? null : 'a range of published offsets';
}

async function problemOfSteps(
  topic: StepsTopic,
  entry: JournalEntry,
  committed: number,
  gaps: SeenGaps,
): Promise<string | null> {
  const { lane, from, next, epoch } = entry;
  if (next > (topic.find(lane, committed)?.next ?? 0)) await topic.fresh(`journal of ${topic.name}`);
  const run = topic.find(lane, committed);
  if (!run) return `nothing: no record at or after offset ${committed}`;
  const { first } = run;
  if (epoch !== run.epoch || next <= Math.max(first, from) || next > run.next)
    return `a range within ${first}..${run.next} of epoch ${run.epoch}`;
  if (from === committed || from === first || from === gaps.behind(lane, committed)) return null;
  const [record] = await topic.read(lane, committed, { records: 1, bytes: 1 });
  return from === record?.offset ? null : `a batch from offset ${record?.offset ?? first}`;
}
