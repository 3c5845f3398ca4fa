import { fileURLToPath } from 'node:url';
import type { ChunkRecord, DecodedChunk } from '../../src/engine/decoding/chunk.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import type { KernelDecoderOptions } from '../../src/projections/records/kernel-decoder.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { blockName } from '../../src/ton/decode/block-error.ts';
import type { BlockMeta } from '../../src/ton/decode/block-meta.ts';
import { appendParts } from '../../src/ton/kernel/native-parts.ts';

const SCHEMAS = fileURLToPath(new URL('../../schemas/', import.meta.url));
const codec = new AvroCodec(loadSchemas(SCHEMAS));

export const NETWORK = 'test';

export const DECODER_OPTIONS: KernelDecoderOptions = {
  schemas: SCHEMAS,
  network: NETWORK,
  verify: 'root',
  startLts: '0',
};

/** A block in log form. */
export function rawBlockRecord(bytes: Uint8Array, meta: BlockMeta): ChunkRecord {
  const value = codec.encode('raw-block', {
    network: NETWORK,
    workchain: meta.workchain,
    shard: BigInt.asIntN(64, meta.shard),
    seqno: BigInt(meta.seqno),
    root_hash: meta.rootHash,
    file_hash: meta.fileHash,
    mc_seqno: BigInt(meta.mcSeqno),
    boc: bytes,
  });
  return { key: blockName(meta), position: meta.mcSeqno, value };
}

/** A state in log form. */
export function rawStateRecord(boc: Uint8Array, rootHash: Uint8Array, fileHash: Uint8Array): ChunkRecord {
  const value = codec.encode('raw-state', {
    network: NETWORK,
    workchain: 0,
    shard: -(1n << 63n),
    seqno: 0n,
    root_hash: rootHash,
    file_hash: fileHash,
    mc_seqno: 0n,
    boc,
  });
  return { key: 'state', position: 0, value };
}

/** The rows of chunks that follow each other; the chunks are released. */
export function columnsOf(chunks: readonly DecodedChunk[]): BaseColumns {
  const columns = new BaseColumns();
  for (const chunk of chunks) {
    for (const parts of chunk.parts) appendParts(columns, parts);
    chunk.release();
  }
  return columns;
}
