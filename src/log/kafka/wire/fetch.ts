import { KafkaCodeError } from '../client/errors.ts';
import { EncoderClass, type ProtocolCall } from '../client/kafkajs-internals.ts';
import { ByteReader } from './byte-reader.ts';
import type { AbortedTransaction } from './committed-batches.ts';

export interface FetchRequest {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Soft: at least one batch is returned, if there is one. */
  readonly maxBytes: number;
  /** Time that the broker may wait for the first byte, ms. */
  readonly maxWaitMs: number;
}

export interface FetchResponse {
  /** Error code of the partition; 0 for none. */
  readonly code: number;
  readonly highWatermark: number;
  readonly lastStable: number;
  readonly logStart: number;
  readonly aborted: readonly AbortedTransaction[];
  readonly set: Buffer;
}

const API_KEY = 1;
/** The newest that kafkajs 2.2.4 speaks, and one that knows zstd. Kafka 4 takes 4 and later. */
const VERSION = 11;
const READ_COMMITTED = 1;
const NO_REPLICA = -1;
const NO_SESSION = { id: 0, epoch: -1 };

/** One partition, committed data only. */
export function fetchCall(request: FetchRequest): ProtocolCall<FetchResponse> {
  return {
    request: {
      apiKey: API_KEY,
      apiVersion: VERSION,
      apiName: 'Fetch',
      encode: async () => encodeFetch(request),
    },
    response: { decode: async (payload) => decodeFetch(payload, request), parse: async (decoded) => decoded },
  };
}

/**
 * replica_id int32, max_wait_ms int32, min_bytes int32, max_bytes int32, isolation_level int8, session_id int32,
 * session_epoch int32, topics [name, partitions [partition int32, current_leader_epoch int32, fetch_offset int64,
 * log_start_offset int64, partition_max_bytes int32]], forgotten_topics [], rack_id string
 */
function encodeFetch({ topic, partition, offset, maxBytes, maxWaitMs }: FetchRequest) {
  const entry = new EncoderClass()
    .writeInt32(partition)
    .writeInt32(-1)
    .writeInt64(String(offset))
    .writeInt64('-1')
    .writeInt32(maxBytes);
  return new EncoderClass()
    .writeInt32(NO_REPLICA)
    .writeInt32(maxWaitMs)
    .writeInt32(1)
    .writeInt32(maxBytes)
    .writeInt8(READ_COMMITTED)
    .writeInt32(NO_SESSION.id)
    .writeInt32(NO_SESSION.epoch)
    .writeArray([new EncoderClass().writeString(topic).writeArray([entry])])
    .writeArray([])
    .writeString('');
}

/**
 * throttle_time_ms int32, error_code int16, session_id int32, responses [topic, partitions [partition int32,
 * error_code int16, high_watermark int64, last_stable_offset int64, log_start_offset int64,
 * aborted_transactions [producer_id int64, first_offset int64], preferred_read_replica int32, records bytes]]
 */
function decodeFetch(payload: Buffer, { topic, partition, offset }: FetchRequest): FetchResponse {
  const reader = new ByteReader(payload);
  reader.int32();
  const code = reader.int16();
  reader.int32();
  const where = `fetch of ${topic}, partition ${partition}, offset ${offset}`;
  if (code !== 0) throw new KafkaCodeError(where, code);
  const [response] = reader.array(() => {
    reader.string();
    return reader.array(() => decodePartition(reader))[0];
  });
  if (!response) throw new KafkaCodeError(where, -1);
  return response;
}

function decodePartition(reader: ByteReader): FetchResponse {
  reader.int32();
  const code = reader.int16();
  const highWatermark = reader.int64();
  const lastStable = reader.int64();
  const logStart = reader.int64();
  const aborted = reader.array(() => ({ producerId: reader.int64(), firstOffset: reader.int64() }));
  reader.int32();
  const length = reader.int32();
  const set = length > 0 ? reader.bytes(length) : Buffer.alloc(0);
  return { code, highWatermark, lastStable, logStart, aborted, set };
}
