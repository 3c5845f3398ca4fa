import type { ChunkRecord, DecodeRecords, RecordOutcome } from '../../engine/decoding/chunk.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { AvroDecodeError, UnknownSchemaIdError } from '../../platform/avro/avro-errors.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { packRecords } from '../records/pack-records.ts';

/** Options of the decoder in a form that moves between threads. */
export interface DetectionsDecoderOptions {
  /** Folder of the schemas. */
  readonly schemas: string;
  /** Records of another network are refused. */
  readonly network: string;
}

/** A decoder of records of outcomes (schemas/detections): readable records are passed on unchanged. */
export async function createDecoder({ schemas, network }: DetectionsDecoderOptions): Promise<DecodeRecords> {
  const codec = new AvroCodec(loadSchemas(schemas));
  return (records, spare) => {
    const sound: Uint8Array[] = [];
    const outcomes = records.map((record) => {
      const outcome = readRecord(codec, record, network);
      if (!('code' in outcome)) sound.push(record.value);
      return outcome;
    });
    return { outcomes, parts: packRecords(sound, spare) };
  };
}

/** Outcomes count as transactions: they make a batch full. */
function readRecord(codec: AvroCodec, { key, value: bytes }: ChunkRecord, network: string): RecordOutcome {
  try {
    const { value } = codec.decodeAs('detections', bytes);
    if (value.network !== network)
      return { code: 'foreign-network', message: `${key} is of network ${value.network}, not ${network}` };
    return { blocks: 1, transactions: value.outcomes.length, messages: 0 };
  } catch (error) {
    if (error instanceof AvroDecodeError || error instanceof UnknownSchemaIdError)
      return { code: 'avro', message: error.message };
    throw error;
  }
}
