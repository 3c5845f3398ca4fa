import { DataError } from '../../../platform/errors/error-kinds.ts';
import { decompressRecords } from '../client/zstd-codec.ts';
import { ByteReader } from './byte-reader.ts';

/** A record as Kafka keeps it. */
export interface StoredRecord {
  readonly offset: number;
  /** Unix ms: of the producer, or of the broker if the topic is configured so. */
  readonly timestamp: number;
  readonly key: string;
  /** Null: a tombstone of a compacted topic. */
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Records that were written together; their bytes are decoded by `decodeRecords`. */
export interface RecordBatch {
  readonly firstOffset: number;
  /** Last offset of the batch as written: compaction may have removed its last records. */
  readonly lastOffset: number;
  readonly producerId: number;
  readonly transactional: boolean;
  /** Holds a marker that ends a transaction. */
  readonly control: boolean;
  readonly codec: number;
  readonly firstTimestamp: number;
  /** The broker's time of the append, if the topic stores it. */
  readonly appendTime: number | null;
  readonly count: number;
  readonly records: Buffer;
}

/** The batch's format that every Kafka since 0.11 writes. */
const MAGIC = 2;
const CODEC_MASK = 0x07;
const APPEND_TIME = 0x08;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;
/** Bytes before the length that a batch names: its first offset and that length. */
const LEAD = 12;

/** A batch of a format that this program does not read. */
export class RecordFormatError extends DataError {
  constructor(offset: number, magic: number) {
    super(`record batch at offset ${offset}: expected format ${MAGIC}, found ${magic}`);
  }
}

/**
 * The batches of a fetched set, whole ones only: the broker cuts the last one off at the size that was asked for.
 *
 * baseOffset int64, batchLength int32, partitionLeaderEpoch int32, magic int8, crc uint32, attributes int16,
 * lastOffsetDelta int32, baseTimestamp int64, maxTimestamp int64, producerId int64, producerEpoch int16,
 * baseSequence int32, count int32, records
 */
export function readBatches(set: Buffer): RecordBatch[] {
  const reader = new ByteReader(set);
  const batches: RecordBatch[] = [];
  while (reader.left >= LEAD) {
    const firstOffset = reader.int64();
    const length = reader.int32();
    if (reader.left < length) break;
    batches.push(readBatch(firstOffset, new ByteReader(reader.bytes(length))));
  }
  return batches;
}

function readBatch(firstOffset: number, reader: ByteReader): RecordBatch {
  reader.int32();
  const magic = reader.int8();
  if (magic !== MAGIC) throw new RecordFormatError(firstOffset, magic);
  reader.int32();
  const attributes = reader.int16();
  const lastOffset = firstOffset + reader.int32();
  const firstTimestamp = reader.int64();
  const maxTimestamp = reader.int64();
  const producerId = reader.int64();
  reader.int16();
  reader.int32();
  const count = reader.int32();
  return {
    firstOffset,
    lastOffset,
    producerId,
    transactional: (attributes & TRANSACTIONAL) !== 0,
    control: (attributes & CONTROL) !== 0,
    codec: attributes & CODEC_MASK,
    firstTimestamp,
    appendTime: (attributes & APPEND_TIME) !== 0 ? maxTimestamp : null,
    count,
    records: reader.bytes(reader.left),
  };
}

/**
 * The records of a batch; each owns its bytes.
 *
 * length varint, attributes int8, timestampDelta varint, offsetDelta varint, key, value, headers [key value]: lengths
 * as varints, −1 for null
 */
export async function decodeRecords(batch: RecordBatch): Promise<StoredRecord[]> {
  if (batch.count === 0) return [];
  const reader = new ByteReader(await decompressRecords(batch.codec, batch.records));
  return Array.from({ length: batch.count }, () => {
    reader.varint();
    reader.int8();
    const timestamp = batch.appendTime ?? batch.firstTimestamp + reader.varint();
    if (batch.appendTime !== null) reader.varint();
    const offset = batch.firstOffset + reader.varint();
    const key = reader.varBytes()?.toString('utf8') ?? '';
    const value = reader.varBytes();
    return { offset, timestamp, key, value: value && new Uint8Array(value), headers: readHeaders(reader) };
  });
}

function readHeaders(reader: ByteReader): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let left = reader.varint(); left > 0; left--) {
    const name = reader.varBytes()?.toString('utf8') ?? '';
    headers[name] = reader.varBytes()?.toString('utf8') ?? '';
  }
  return headers;
}

/** True if a control batch marks its producer's transaction as aborted. Its key: version int16, type int16. */
export function isAbort({ records }: RecordBatch): boolean {
  const reader = new ByteReader(records);
  reader.varint();
  reader.int8();
  reader.varint();
  reader.varint();
  const key = reader.varBytes();
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}
