import type { RowParts } from '../../../engine/projection/row-set.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import type { FinishedTraceV1 } from '../../../platform/avro/generated.ts';

/** The traces that a masterchain step completed. */
export interface FinishedStep {
  readonly position: number;
  readonly traces: readonly FinishedTraceV1[];
}

/** Concatenates records, in `spare` if it is large enough; `sizes` has the length of each. */
export function packSteps(records: readonly Uint8Array[], spare: ArrayBuffer | null): RowParts {
  const bytes = records.reduce((sum, { length }) => sum + length, 0);
  const buffer = spare && spare.byteLength >= bytes ? spare : new ArrayBuffer(Math.max(1, bytes));
  const target = new Uint8Array(buffer);
  let at = 0;
  for (const record of records) {
    target.set(record, at);
    at += record.length;
  }
  return { buffer, rows: [records.length], sizes: Uint32Array.from(records, ({ length }) => length) };
}

/** The steps of packed records; their bytes are copies. */
export function readSteps(codec: AvroCodec, { buffer, sizes }: RowParts): FinishedStep[] {
  let at = 0;
  return Array.from(sizes, (length) => {
    const { value } = codec.decodeAs('finished-traces', new Uint8Array(buffer.slice(at, at + length)));
    at += length;
    return { position: Number(value.mc_seqno), traces: value.traces };
  });
}
