import { DataError } from '../../../platform/errors/error-kinds.ts';
import type { TransformProgress } from '../../port.ts';
import type { PartitionReader } from '../wire/partition-reader.ts';
import { decodeRecords, type StoredRecord } from '../wire/record-batch.ts';

/** Record of the progress topic. */
export interface ProgressRecord extends TransformProgress {
  readonly v: 1;
  /** Identifies the transaction that wrote it. */
  readonly transaction: string;
}

/** A newer version of this program, or another program, wrote the progress. */
export class ProgressRecordError extends DataError {
  constructor(topic: string, lane: number, offset: number, found: string) {
    super(`${topic}, lane ${lane}, offset ${offset}: expected progress of version 1, found ${found}`);
  }
}

/** Committed progress is hidden by a transaction that is still open. */
export class OpenTransactionError extends DataError {
  constructor(topic: string, lane: number, lastStable: number, highWatermark: number) {
    super(
      `${topic}, lane ${lane}: a transaction is open: last stable offset ${lastStable}, high watermark ${highWatermark}`,
    );
  }
}

/** Offsets before the end at which the newest record is looked for: each transaction leaves a record and a marker. */
const FIRST_SPAN = 8;
const SPAN_FACTOR = 16;
const PAGE_BYTES = 1 << 20;
const MAX_WAIT_MS = 500;

/**
 * Reads the newest committed progress of a lane; null if there is none. Exact for the holder of the lane's
 * transactional id, since taking it ends open transactions. If one is open nevertheless, this throws.
 * @throws ProgressRecordError, OpenTransactionError and broker errors
 */
export async function readProgress(
  reader: PartitionReader,
  topic: string,
  lane: number,
): Promise<ProgressRecord | null> {
  const written = await reader.offset(topic, lane, 'written');
  const end = await reader.offset(topic, lane, 'latest');
  if (end < written) throw new OpenTransactionError(topic, lane, end, written);
  for (let span = FIRST_SPAN; ; span *= SPAN_FACTOR) {
    const first = await reader.offset(topic, lane, 'earliest');
    const from = Math.max(first, end - span);
    const record = await newestBetween(reader, { topic, partition: lane }, from, end);
    if (record) return parse(topic, lane, record);
    if (from === first) return null;
  }
}

async function newestBetween(
  reader: PartitionReader,
  place: { readonly topic: string; readonly partition: number },
  from: number,
  end: number,
): Promise<StoredRecord | null> {
  let newest: StoredRecord | null = null;
  for (let at = from; at < end; ) {
    const page = await reader.fetch({
      ...place,
      offset: at,
      maxBytes: PAGE_BYTES,
      maxWaitMs: MAX_WAIT_MS,
    });
    // Compaction or deletion has taken the beginning away meanwhile: the caller asks for it again.
    if (!page) return newest;
    for (const batch of page.batches)
      for (const record of await decodeRecords(batch)) if (record.offset < end) newest = record;
    if (page.next === at)
      throw new Error(
        `${place.topic}, lane ${place.partition}: nothing from ${at} on, before the end at ${end}`,
      );
    at = page.next;
  }
  return newest;
}

function parse(topic: string, lane: number, { offset, value }: StoredRecord): ProgressRecord {
  const text = Buffer.from(value ?? []).toString('utf8');
  const found = (text === '' ? null : JSON.parse(text)) as Partial<ProgressRecord> | null;
  if (found?.v === 1 && Number.isSafeInteger(found.next)) return found as ProgressRecord;
  throw new ProgressRecordError(topic, lane, offset, text.slice(0, 100) || 'nothing');
}
