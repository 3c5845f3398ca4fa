import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import { createPackingDecoder, type KernelDecoderOptions } from '../records/kernel-decoder.ts';
import { packFacts } from './decoded-facts.ts';

/** The decoder of the log's records that keeps of each transaction and message what traces need. */
export function createDecoder(options: KernelDecoderOptions): Promise<DecodeRecords> {
  return createPackingDecoder(options, packFacts);
}
