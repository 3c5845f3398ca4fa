import type { JournalEntry } from '../../port.ts';
import type { StepsTopic } from '../topics/steps-topic.ts';
import type { OpenTopic } from '../topics/topic-registry.ts';

/**
 * Which record a read from an offset began with, for the newest reads of each lane: between a committed offset and
 * the next record may lie markers of transactions.
 */
export class FirstReads {
  readonly #byLane = new Map<number, Map<number, number>>();

  remember(lane: number, asked: number, first: number | undefined): void {
    if (first === undefined || first === asked) return;
    const reads = this.#byLane.get(lane) ?? new Map<number, number>();
    this.#byLane.set(lane, reads);
    reads.set(asked, first);
    if (reads.size > KEPT) reads.delete(reads.keys().next().value as number);
  }

  get(lane: number, asked: number): number | undefined {
    return this.#byLane.get(lane)?.get(asked);
  }
}

/** A stage reads some batches ahead of the one that it journals. */
const KEPT = 64;

/**
 * What is wrong with a batch that is to be journalled while `committed` is the lane's committed offset, or null: it
 * must begin with the first record from there on and stay within one run, so that nothing is skipped or mixed.
 */
export async function problemOfRange(
  topic: OpenTopic,
  entry: JournalEntry,
  committed: number,
  firstReads: FirstReads,
): Promise<string | null> {
  if (topic.kind === 'steps') return problemOfSteps(topic, entry, committed, firstReads);
  const end = await topic.end();
  if (entry.from !== committed) return `a batch from offset ${committed}`;
  return entry.next > entry.from && entry.next <= end ? null : 'a range of published offsets';
}

async function problemOfSteps(
  topic: StepsTopic,
  entry: JournalEntry,
  committed: number,
  firstReads: FirstReads,
): Promise<string | null> {
  const { lane, from, next, epoch } = entry;
  const find = () => topic.keptRuns(lane).find((run) => run.next > committed);
  if (next > (find()?.next ?? 0)) await topic.fresh(`journal of ${topic.name}`);
  const run = find();
  if (!run) return `nothing: no record at or behind offset ${committed}`;
  const first = Math.max(committed, run.first);
  if (epoch !== run.epoch || next <= Math.max(first, from) || next > run.next)
    return `a range within ${first}..${run.next} of epoch ${run.epoch}`;
  if (from === committed || from === first || from === firstReads.get(lane, committed)) return null;
  const [record] = await topic.read(lane, committed, { records: 1, bytes: 1 });
  return from === record?.offset ? null : `a batch from offset ${record?.offset ?? first}`;
}
