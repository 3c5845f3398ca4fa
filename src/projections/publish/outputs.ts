import type { OutputBatch } from '../../engine/projection/projection.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { SCHEMAS } from '../records/schemas.ts';
import { AvroOutput } from './avro-output.ts';
import { RecordEncoder } from './record-encoder.ts';

/** Creates records by the newest schemas of this release. @throws FieldMismatchError if they do not fit the columns */
export function createOutputs(partitions: number): () => OutputBatch {
  const encoder = new RecordEncoder(loadSchemas(SCHEMAS), partitions);
  return () => {
    const out = new AvroOutput();
    return { encode: (parts, source) => encoder.encode(parts, source, out) };
  };
}
