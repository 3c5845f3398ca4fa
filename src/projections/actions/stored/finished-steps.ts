import type { RowParts } from '../../../engine/projection/row-set.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import type { FinishedTraceV1 } from '../../../platform/avro/generated.ts';
import { unpackRecords } from '../../records/pack-records.ts';

/** The traces that a masterchain step completed. */
export interface FinishedStep {
  readonly position: number;
  readonly traces: readonly FinishedTraceV1[];
}

/** The steps of packed records; their bytes are copies. */
export function readSteps(codec: AvroCodec, parts: RowParts): FinishedStep[] {
  return unpackRecords(parts).map((record) => decodeStep(codec, record));
}

/** The step of a record. */
export function decodeStep(codec: AvroCodec, record: Uint8Array): FinishedStep {
  const { value } = codec.decodeAs('finished-traces', record);
  return { position: Number(value.mc_seqno), traces: value.traces };
}
