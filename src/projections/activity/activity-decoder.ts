import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import { createPackingDecoder, type KernelDecoderOptions } from '../records/kernel-decoder.ts';
import { packFacts } from './transaction-facts.ts';

/** The decoder of the log's records that keeps of each transaction what counters need. */
export function createDecoder(options: KernelDecoderOptions): Promise<DecodeRecords> {
  return createPackingDecoder(options, packFacts);
}
