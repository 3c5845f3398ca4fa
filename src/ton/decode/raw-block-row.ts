import type { BaseColumns } from '../columns/base-columns.ts';
import type { BlockMeta } from './block-meta.ts';

/** A decoded block for `raw_blocks`. */
export interface RawBlock {
  readonly bytes: Uint8Array;
  readonly meta: BlockMeta;
}

/** Appends a row of `raw_blocks`. */
export function writeRawBlock(columns: BaseColumns, { meta, bytes }: RawBlock): void {
  const { col } = columns.tables.raw_blocks;
  col.mc_seqno.push(meta.mcSeqno);
  col.workchain.push(meta.workchain);
  col.shard.push(meta.shard);
  col.seqno.push(meta.seqno);
  col.root_hash.push(meta.rootHash);
  col.file_hash.push(meta.fileHash);
  col.boc.push(bytes);
  columns.tables.raw_blocks.endRow();
}
