import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import type { RowParts } from '../../engine/projection/row-set.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { ViewCodec } from '../../platform/avro/view-codec.ts';
import type { VerifyLevel } from '../../ton/decode/decode-block.ts';
import { parseStartLts } from '../../ton/decode/start-lts.ts';
import { Kernel } from '../../ton/kernel/kernel.ts';
import { createRecordDecoder } from './record-decoder.ts';

/** Options of a decoder in a form that travels between threads. */
export interface KernelDecoderOptions {
  /** Folder of the schemas. */
  readonly schemas: string;
  readonly network: string;
  readonly verify: VerifyLevel;
  /** As `formatStartLts` wrote it. */
  readonly startLts: string;
  /** `BlockMeta.indexedFromLt`, decimal text. Default 0. */
  readonly indexedFromLt?: string;
}

/** The decoder of the log's records, with a kernel of its own: on whatever thread this is called. */
export async function createDecoder(options: KernelDecoderOptions): Promise<DecodeRecords> {
  const { schemas, network, verify, startLts } = options;
  const codec = new ViewCodec(loadSchemas(schemas));
  const kernel = await Kernel.load();
  const starts = parseStartLts(startLts);
  const indexedFromLt = BigInt(options.indexedFromLt ?? 0);
  return createRecordDecoder(kernel, { codec, network, verify, starts, indexedFromLt });
}

/** The decoder of the log's records that keeps of decoded rows what `pack` writes. `spare`: memory of parts that are done. */
export async function createPackingDecoder(
  options: KernelDecoderOptions,
  pack: (decoded: RowParts, spare: ArrayBuffer | null) => RowParts,
): Promise<DecodeRecords> {
  const decode = await createDecoder(options);
  let own: ArrayBuffer | null = null;
  return (records, spare) => {
    const { outcomes, parts } = decode(records, own);
    own = parts.buffer;
    return { outcomes, parts: pack(parts, spare) };
  };
}
