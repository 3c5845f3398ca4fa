import { DataError } from '../../../platform/errors/error-kinds.ts';
import type { LogRecord, ReadLimit } from '../../port.ts';
import type { BrokerRetry } from '../client/broker-retry.ts';
import { splitPlace } from '../record-headers.ts';
import type { Page, PartitionReader } from '../wire/partition-reader.ts';
import { decodeRecords, type StoredRecord } from '../wire/record-batch.ts';

export interface RangeOfLane {
  readonly lane: number;
  readonly first: number;
  readonly next: number;
}

export interface ReaderPorts {
  readonly brokerRetry: BrokerRetry;
  readonly reader: PartitionReader;
}

/** Conversion of a record of Kafka into one of the port. */
export type AsLogRecord = (record: StoredRecord, lane: number) => LogRecord;

/** A topic of Kafka, and the meaning of its records. */
export interface TopicOfKafka {
  readonly topic: string;
  readonly asLogRecord: AsLogRecord;
}

const MIN_BYTES = 64 << 10;
const MAX_BYTES = 32 << 20;
/** Time that a broker may hold a fetch back: only until pending markers are written. */
const MAX_WAIT_MS = 500;

/**
 * Committed records that the index names are missing. If the last stable offset is at the first missing one, an open
 * transaction hides them; if it is above them all, Kafka has lost them.
 */
export class RecordsLostError extends DataError {
  readonly topic: string;
  readonly offset: number;

  /** `seen`: the broker's last report of the lane; null if the offset is gone. */
  constructor(
    topic: string,
    { lane, first, next }: RangeOfLane,
    seen: Pick<Page, 'lastStable' | 'highWatermark'> | null,
  ) {
    const found = seen
      ? `found none: last stable offset ${seen.lastStable}, high watermark ${seen.highWatermark}`
      : 'the broker does not have them';
    super(`${topic}, lane ${lane}: expected records of offsets ${first} to ${next - 1}, ${found}`);
    this.topic = topic;
    this.offset = first;
  }
}

/**
 * Reads records of a range until a limit is reached and the step is complete. Empty if Kafka no longer has the start of
 * the range.
 */
export async function readRecords(
  ports: ReaderPorts,
  { topic, asLogRecord }: TopicOfKafka,
  range: RangeOfLane,
  limit: ReadLimit,
): Promise<readonly LogRecord[]> {
  const taken: LogRecord[] = [];
  let bytes = 0;
  const deadline = performance.now() + ports.brokerRetry.unavailableMs;
  for (let at = range.first; at < range.next; ) {
    const page = await fetchPage(ports, { topic, lane: range.lane, offset: at }, limit.bytes - bytes);
    if (!page) return [];
    for (const batch of page.batches) {
      for (const record of await decodeRecords(batch)) {
        if (record.offset < at) continue;
        if (record.offset >= range.next) return taken;
        const read = asLogRecord(record, range.lane);
        taken.push(limit.withoutValues ? { ...read, value: EMPTY } : read);
        bytes += read.value.byteLength;
        if (read.endsStep && (taken.length >= limit.records || bytes >= limit.bytes)) return taken;
      }
    }
    if (page.next === at && performance.now() > deadline)
      throw new RecordsLostError(topic, { ...range, first: at }, page);
    at = page.next;
  }
  return taken;
}

function fetchPage(
  { brokerRetry, reader }: ReaderPorts,
  { topic, lane, offset }: { readonly topic: string; readonly lane: number; readonly offset: number },
  wanted: number,
): Promise<Page | null> {
  const maxBytes = Math.min(Math.max(wanted, MIN_BYTES), MAX_BYTES);
  return brokerRetry.run(`read of ${topic}, lane ${lane}`, () =>
    reader.fetch({ topic, partition: lane, offset, maxBytes, maxWaitMs: MAX_WAIT_MS }),
  );
}

const EMPTY = new Uint8Array();

/** A record of a topic of steps: its place is in its headers. */
export const inSteps: AsLogRecord = ({ offset, timestamp, key, value, headers }, lane) => {
  const { own, place } = splitPlace(headers);
  return { lane, offset, ...place, appendedAt: timestamp, key, headers: own, value: value ?? EMPTY };
};

/** A record that is a step of its own. */
export const atOffsets: AsLogRecord = ({ offset, timestamp, key, value, headers }, lane) => ({
  lane,
  offset,
  epoch: 0,
  position: offset,
  endsStep: true,
  appendedAt: timestamp,
  key,
  headers: { ...headers },
  value: value ?? EMPTY,
});
