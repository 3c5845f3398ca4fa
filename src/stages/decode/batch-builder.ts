import type { LogRecord } from '../../platform/bus/port.ts';
import type { BaseColumns } from '../../ton/columns/base-columns.ts';
import type { DeadLetterSink } from './dead-letters.ts';
import type { DecodeRecord } from './record-decoder.ts';
import type { SeenBlocks } from './seen-blocks.ts';
import type { Turn } from './turn.ts';

/** What a batch holds beside its columns. */
export interface BatchCounts {
  blocks: number;
  transactions: number;
  messages: number;
  deadLetters: number;
  duplicates: number;
  bytes: number;
}

/** A contiguous offset range of one lane within one epoch, decoded. */
export interface DecodedRange {
  readonly lane: number;
  readonly epoch: number;
  readonly from: number;
  readonly next: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly counts: BatchCounts;
}

export interface BatchBuilderPorts {
  readonly decode: DecodeRecord;
  readonly deadLetters: DeadLetterSink;
  readonly turn: Turn;
}

const noCounts = (): BatchCounts => ({
  blocks: 0,
  transactions: 0,
  messages: 0,
  deadLetters: 0,
  duplicates: 0,
  bytes: 0,
});

/**
 * Decodes whole steps of one epoch into `columns`, up to the end of the step that makes the batch full. A record
 * that cannot be decoded becomes a dead letter (durable before this resolves) and the range goes on without it.
 */
export async function buildRange(
  records: readonly LogRecord[],
  columns: BaseColumns,
  seen: SeenBlocks,
  ports: BatchBuilderPorts,
  full: (counts: BatchCounts) => boolean,
): Promise<DecodedRange> {
  const first = records[0];
  if (!first) throw new RangeError('a batch needs at least one record');
  const counts = noCounts();
  let last = first;
  for (const record of records) {
    await decodeInto(record, columns, seen, ports, counts);
    last = record;
    if (record.endsStep && full(counts)) break;
    await ports.turn.yield();
  }
  return {
    lane: first.lane,
    epoch: first.epoch,
    from: first.offset,
    next: last.offset + 1,
    firstPosition: first.position,
    lastPosition: last.position,
    counts,
  };
}

async function decodeInto(
  record: LogRecord,
  columns: BaseColumns,
  seen: SeenBlocks,
  ports: BatchBuilderPorts,
  counts: BatchCounts,
): Promise<void> {
  const sighting = await seen.look(record);
  if (sighting === 'duplicate') {
    counts.duplicates++;
    return;
  }
  const failure =
    sighting === 'changed'
      ? {
          code: 'changed-block',
          message: `${record.key}: root hash ${record.headers.root_hash} under an id that is known with another`,
        }
      : ports.decode(record, columns, counts);
  if (failure) {
    await ports.deadLetters.put(record, failure);
    counts.deadLetters++;
    return;
  }
  seen.remember(record);
  counts.bytes += record.value.byteLength;
}
