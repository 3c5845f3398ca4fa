import { KafkaCodeError } from '../client/errors.ts';
import { EncoderClass, type ProtocolCall } from '../client/kafkajs-internals.ts';
import { ByteReader } from './byte-reader.ts';

/** A partition of a topic of Kafka. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
}

/** A transaction that has begun in a partition and is not ended there. */
export interface OpenTransaction extends Place {
  readonly producerId: number;
  /** Offset of its first record. */
  readonly from: number;
}

const API_KEY = 61;
const VERSION = 0;
const NO_TRANSACTION = -1;
/** The topic may not be read: nothing is known of it. */
const UNAUTHORIZED = 29;

/** The open transactions in partitions, asked of the broker that leads them. Since Kafka 2.8. */
export function describeProducersCall(places: readonly Place[]): ProtocolCall<OpenTransaction[]> {
  return {
    request: {
      apiKey: API_KEY,
      apiVersion: VERSION,
      apiName: 'DescribeProducers',
      encode: async () => encodeRequest(places),
    },
    response: { decode: async (payload) => decodeResponse(payload), parse: async (decoded) => decoded },
  };
}

/**
 * Tags of the header, topics compact [name compact string, partition_indexes compact [int32], tags], tags; kafkajs writes
 * the header without its tags.
 */
function encodeRequest(places: readonly Place[]) {
  const topics = Map.groupBy(places, ({ topic }) => topic);
  const body = new EncoderClass().writeInt8(0).writeUVarInt(topics.size + 1);
  for (const [topic, its] of topics) {
    body.writeUVarIntString(topic).writeUVarInt(its.length + 1);
    for (const { partition } of its) body.writeInt32(partition);
    body.writeInt8(0);
  }
  return body.writeInt8(0);
}

/** Tags of the header, throttle_time_ms int32, topics compact [name compact string, partitions, tags], tags */
function decodeResponse(payload: Buffer): OpenTransaction[] {
  const reader = new ByteReader(payload);
  reader.skipTags();
  reader.int32();
  return reader
    .compactArray(() => {
      const topic = reader.compactString();
      const open = reader.compactArray(() => decodePartition(reader, topic));
      reader.skipTags();
      return open.flat();
    })
    .flat();
}

/**
 * partition_index int32, error_code int16, error_message compact nullable string, active_producers compact [producer_id
 * int64, producer_epoch int32, last_sequence int32, last_timestamp int64, coordinator_epoch int32,
 * current_txn_start_offset int64, tags], tags
 */
function decodePartition(reader: ByteReader, topic: string): OpenTransaction[] {
  const partition = reader.int32();
  const code = reader.int16();
  reader.compactString();
  const producers = reader.compactArray(() => {
    const producerId = reader.int64();
    reader.int32();
    reader.int32();
    reader.int64();
    reader.int32();
    const from = reader.int64();
    reader.skipTags();
    return { topic, partition, producerId, from };
  });
  reader.skipTags();
  if (code !== 0 && code !== UNAUTHORIZED)
    throw new KafkaCodeError(`producers of ${topic}, partition ${partition}`, code);
  return producers.filter(({ from }) => from !== NO_TRANSACTION);
}
