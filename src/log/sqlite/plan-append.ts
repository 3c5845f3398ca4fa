import { InvalidRequestError } from './errors.ts';
import { requireIdentity } from './identity.ts';
import type { LogStore } from './log-store.ts';
import type { Segment } from './segment-files.ts';
import { laneEnd } from './topics.ts';
import { checkWriter, type WriterHandle } from './writer-lease.ts';

/** A step in transit to the worker; the bytes of its values are in one separate buffer. */
export interface StepMeta {
  readonly position: number;
  readonly epoch: number;
  readonly lane: number;
  readonly records: readonly RecordMeta[];
}

export interface RecordMeta {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the value in bytes. */
  readonly length: number;
}

interface PlannedRecord {
  readonly offset: number;
  readonly position: number;
  readonly endsStep: boolean;
  readonly key: string;
  readonly headers: string;
  readonly value: Uint8Array;
}

/** Rows that one append writes to one segment. */
export interface SegmentPlan {
  readonly segment: Segment;
  /** The published end of the segment's lane: nothing from there on is readable. */
  readonly base: number;
  readonly records: PlannedRecord[];
  /** Offset ranges; more than one if the append interleaves two epochs of a lane. */
  readonly runs: { first: number; next: number }[];
}

/** Gives every record its offset and every epoch its segment. */
export function planAppend(
  store: LogStore,
  writer: WriterHandle,
  steps: readonly StepMeta[],
  values: Uint8Array,
): readonly SegmentPlan[] {
  checkSteps(store, writer.topic, steps);
  checkWriter(store, writer);
  const plans = new Map<number, SegmentPlan>();
  const bases = new Map<number, number>();
  const ends = new Map<number, number>();
  let at = 0;
  for (const step of steps) {
    const base = bases.get(step.lane) ?? laneEnd(store, writer.topic, step.lane);
    bases.set(step.lane, base);
    const plan = plans.get(step.epoch) ?? {
      segment: takeSegment(store, writer, step),
      base,
      records: [],
      runs: [],
    };
    plans.set(step.epoch, plan);
    const first = ends.get(step.lane) ?? base;
    let offset = first;
    for (const { key, headers, length } of step.records) {
      const endsStep = offset === first + step.records.length - 1;
      const value = values.subarray(at, at + length);
      at += length;
      plan.records.push({
        offset: offset++,
        position: step.position,
        endsStep,
        key,
        headers: JSON.stringify(headers),
        value,
      });
    }
    ends.set(step.lane, offset);
    const run = plan.runs.at(-1);
    if (run?.next === first) run.next = offset;
    else plan.runs.push({ first, next: offset });
  }
  return [...plans.values()];
}

function checkSteps(store: LogStore, topic: string, steps: readonly StepMeta[]): void {
  const { lanes, epochSize } = requireIdentity(store);
  for (const { position, epoch, lane, records } of steps) {
    const where = `${topic}, step ${position}`;
    if (!Number.isSafeInteger(position) || position < 0)
      throw new InvalidRequestError(where, 'a position that is an integer from 0', String(position));
    if (epoch !== Math.floor(position / epochSize))
      throw new InvalidRequestError(where, `epoch ${Math.floor(position / epochSize)}`, String(epoch));
    if (lane !== epoch % lanes)
      throw new InvalidRequestError(where, `lane ${epoch % lanes} (epoch mod ${lanes})`, String(lane));
    if (records.length === 0) throw new InvalidRequestError(where, 'at least one record', 'none');
  }
}

function takeSegment(store: LogStore, writer: WriterHandle, step: StepMeta): Segment {
  const find = () =>
    store.log.get<Segment>(
      'SELECT id, topic, epoch, lane FROM segments WHERE topic = ? AND epoch = ?',
      writer.topic,
      step.epoch,
    );
  const known = find();
  if (known) return known;
  return store.log.transaction(() => {
    checkWriter(store, writer);
    store.log.run(
      'INSERT INTO segments (topic, epoch, lane) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      writer.topic,
      step.epoch,
      step.lane,
    );
    return find() as Segment;
  });
}
