import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import { createFedDecoder, type FedDecoderOptions } from '../records/fed-decoder.ts';

/** A decoder of records of outcomes (schemas/detections). */
export async function createDecoder(options: FedDecoderOptions): Promise<DecodeRecords> {
  return createFedDecoder(options, (codec, bytes) => {
    const { network, outcomes } = codec.decodeAs('detections', bytes).value;
    return { network, items: outcomes.length };
  });
}
