import { EncoderClass, type ProtocolCall } from '../client/kafkajs-internals.ts';
import { ByteReader } from './byte-reader.ts';

export interface TransactionDescription {
  /** 0 for none. */
  readonly code: number;
  /** State that the coordinator has of the id's last transaction, e.g. `CompleteCommit`; empty with a code. */
  readonly state: string;
  /** The producer's id in the partitions that the transactions write to; negative with a code. */
  readonly producerId: number;
}

const API_KEY = 65;
const VERSION = 0;

/** The last transaction of one transactional id, asked of its coordinator. Since Kafka 3.0. */
export function describeTransactionCall(id: string): ProtocolCall<TransactionDescription> {
  return {
    request: {
      apiKey: API_KEY,
      apiVersion: VERSION,
      apiName: 'DescribeTransactions',
      encode: async () => encodeRequest(id),
    },
    response: { decode: async (payload) => decodeResponse(payload), parse: async (decoded) => decoded },
  };
}

/** Tags of the header, transactional_ids compact [compact string], tags; kafkajs writes the header without its tags. */
const encodeRequest = (id: string) =>
  new EncoderClass().writeInt8(0).writeInt8(2).writeUVarIntString(id).writeInt8(0);

/**
 * Tags of the header, throttle_time_ms int32, transaction_states compact [error_code int16, transactional_id compact
 * string, transaction_state compact string, transaction_timeout_ms int32, transaction_start_time_ms int64, producer_id int64,
 * and what is not needed here]
 */
function decodeResponse(payload: Buffer): TransactionDescription {
  const reader = new ByteReader(payload);
  reader.skipTags();
  reader.int32();
  reader.uvarint();
  const code = reader.int16();
  reader.compactString();
  const state = reader.compactString();
  reader.int32();
  reader.int64();
  return { code, state, producerId: reader.int64() };
}
