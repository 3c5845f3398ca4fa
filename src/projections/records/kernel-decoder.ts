import type { DecodeRecords, DecodeShare } from '../../engine/decoding/chunk.ts';
import type { RowParts } from '../../engine/projection/row-set.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { ViewCodec } from '../../platform/avro/view-codec.ts';
import type { VerifyLevel } from '../../ton/decode/decode-block.ts';
import { parseStartLts } from '../../ton/decode/start-lts.ts';
import { Kernel } from '../../ton/kernel/kernel.ts';
import { createRecordDecoder } from './record-decoder.ts';
import { copyParts, joinSharedDecoding } from './shared-decoding.ts';

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
  /** Memory of the decoded chunks that decoders of a thread share. Default 0: only the newest chunk is shared. */
  readonly sharedBytes?: number;
}

/** The decoder of the log's records, with a kernel of its own: on whatever thread this is called. */
export async function createDecoder(options: KernelDecoderOptions): Promise<DecodeRecords> {
  const decode = await createOwnDecoder(options);
  const shared = joinSharedDecoding(toName(options), options.sharedBytes);
  return (records, spare) => {
    if (shared.users < 2) return decode(records, spare);
    const { outcomes, parts } = shared.get(records, decode);
    return { outcomes, parts: copyParts(parts, spare) };
  };
}

/** Decoders with the same name decode the same records into the same rows. */
function toName({ schemas, network, verify, startLts, indexedFromLt }: KernelDecoderOptions): string {
  return JSON.stringify([schemas, network, verify, startLts, indexedFromLt]);
}

async function createOwnDecoder(options: KernelDecoderOptions): Promise<DecodeRecords> {
  const { schemas, network, verify, startLts } = options;
  const codec = new ViewCodec(loadSchemas(schemas));
  const kernel = await Kernel.load();
  const starts = parseStartLts(startLts);
  const indexedFromLt = BigInt(options.indexedFromLt ?? 0);
  return createRecordDecoder(kernel, { codec, network, verify, starts, indexedFromLt });
}

/**
 * The decoder of the log's records that keeps of decoded rows what `pack` writes. `spare`: memory of parts that are done. `share`: the
 * partition that the rows are for.
 */
export async function createPackingDecoder(
  options: KernelDecoderOptions,
  pack: (decoded: RowParts, spare: ArrayBuffer | null, share?: DecodeShare | null) => RowParts,
): Promise<DecodeRecords> {
  const decode = await createOwnDecoder(options);
  const shared = joinSharedDecoding(toName(options), options.sharedBytes);
  return (records, spare, share) => {
    const { outcomes, parts } = shared.get(records, decode);
    return { outcomes, parts: pack(parts, spare, share) };
  };
}
