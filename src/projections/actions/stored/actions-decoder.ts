import type { DecodeRecords } from '../../../engine/decoding/chunk.ts';
import { createFedDecoder, type FedDecoderOptions } from '../../records/fed-decoder.ts';

/** A decoder of records of finished traces (schemas/finished-traces). */
export async function createDecoder(options: FedDecoderOptions): Promise<DecodeRecords> {
  return createFedDecoder(options, (codec, bytes) => {
    const { network, traces } = codec.decodeAs('finished-traces', bytes).value;
    return { network, items: traces.reduce((sum, { transactions }) => sum + transactions.length, 0) };
  });
}
