import type { NewRecord, StoredInput } from '../../engine/projection/stored-input.ts';
import type { RecordedOutcome } from './outcome-record.ts';

/** Outcomes of one record: a record stays far below the largest message of Kafka. */
const MAX_OUTCOMES = 1_000;

/** A recorded outcome and the step of its record. */
export interface PlacedOutcome {
  readonly position: number;
  readonly outcome: RecordedOutcome;
}

/**
 * Returns the records of a range of steps (schemas/detections): one for each step, more if it has many outcomes. The
 * order of outcomes in a step is that of `placed`.
 */
export function buildRecords(
  placed: readonly PlacedOutcome[],
  { first, last }: Parameters<StoredInput['records']>[1],
  { codec, network }: Pick<Parameters<StoredInput['records']>[2], 'codec' | 'network'>,
): ReadonlyMap<number, readonly NewRecord[]> {
  const byStep = Map.groupBy(placed, ({ position }) => position);
  const records = new Map<number, readonly NewRecord[]>();
  for (let position = first; position <= last; position++) {
    const outcomes = (byStep.get(position) ?? []).map(({ outcome }) => outcome);
    const parts = Array.from({ length: Math.max(1, Math.ceil(outcomes.length / MAX_OUTCOMES)) }, (_, i) =>
      outcomes.slice(i * MAX_OUTCOMES, (i + 1) * MAX_OUTCOMES),
    );
    records.set(
      position,
      parts.map((part, i) => ({
        key: i === 0 ? String(position) : `${position}/${i}`,
        headers: { kind: 'detections', outcomes: String(part.length) },
        value: codec.encode('detections', { network, mc_seqno: BigInt(position), outcomes: part }),
      })),
    );
  }
  return records;
}
