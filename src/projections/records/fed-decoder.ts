import type { ChunkRecord, DecodeRecords, RecordOutcome } from '../../engine/decoding/chunk.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { AvroDecodeError, UnknownSchemaIdError } from '../../platform/avro/avro-errors.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { packRecords } from './pack-records.ts';

/** Options of the decoder in a form that moves between threads. */
export interface FedDecoderOptions {
  /** Folder of the schemas. */
  readonly schemas: string;
  /** Records of another network are refused. */
  readonly network: string;
}

/** Network of a record, and the number of its items: they count as transactions, which make a batch full. */
export interface FedRecord {
  readonly network: string;
  readonly items: number;
}

/** A decoder of a fed topic: records that `read` accepts are passed on unchanged. */
export function createFedDecoder(
  { schemas, network }: FedDecoderOptions,
  read: (codec: AvroCodec, bytes: Uint8Array) => FedRecord,
): DecodeRecords {
  const codec = new AvroCodec(loadSchemas(schemas));
  const check = ({ key, value }: ChunkRecord): RecordOutcome => {
    try {
      const record = read(codec, value);
      if (record.network !== network)
        return { code: 'foreign-network', message: `${key} is of network ${record.network}, not ${network}` };
      return { blocks: 1, transactions: record.items, messages: 0 };
    } catch (error) {
      if (error instanceof AvroDecodeError || error instanceof UnknownSchemaIdError)
        return { code: 'avro', message: error.message };
      throw error;
    }
  };
  return (records, spare) => {
    const outcomes = records.map(check);
    const sound = records.filter((_, i) => !('code' in (outcomes[i] as RecordOutcome)));
    const values = sound.map(({ value }) => value);
    return { outcomes, parts: packRecords(values, spare) };
  };
}
