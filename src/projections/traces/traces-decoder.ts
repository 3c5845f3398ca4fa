import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import {
  createDecoder as createKernelDecoder,
  type KernelDecoderOptions,
} from '../records/kernel-decoder.ts';
import { packFacts } from './decoded-facts.ts';

/** The decoder of the log's records that keeps of each transaction and message what traces need. */
export async function createDecoder(options: KernelDecoderOptions): Promise<DecodeRecords> {
  const decode = await createKernelDecoder(options);
  let own: ArrayBuffer | null = null;
  return (records, spare) => {
    const { outcomes, parts } = decode(records, own);
    own = parts.buffer;
    return { outcomes, parts: packFacts(parts, spare) };
  };
}
