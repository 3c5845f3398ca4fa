import type { BlockRow } from './model.ts';
import { childShards, parentShard } from './shard-text.ts';

/** A reference to a previous block. Hashes base64, `shard` unsigned. */
export interface PreviousBlock {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

/**
 * The blocks that a block follows: one, or two after a merge. The header does not name their shard: after a split it
 * is the parent, after a merge they are the two children (block.tlb, BlockInfo).
 */
export function previousBlocks(row: BlockRow): readonly PreviousBlock[] {
  const shard = BigInt(row.shard);
  const first = { seqno: row.prev_seqno, rootHash: row.prev_root_hash, fileHash: row.prev_file_hash };
  if (row.after_merge) {
    const [left, right] = childShards(shard);
    const second = { seqno: row.prev2_seqno, rootHash: row.prev2_root_hash, fileHash: row.prev2_file_hash };
    return [
      { workchain: row.workchain, shard: left, ...first },
      { workchain: row.workchain, shard: right, ...second },
    ];
  }
  return [{ workchain: row.workchain, shard: row.after_split ? parentShard(shard) : shard, ...first }];
}
