import { BaseColumns } from '../../ton/columns/base-columns.ts';
import { BlockError, decodeBlock } from '../../ton/decode/decode-block.ts';
import { type BlockIdExt, isMasterchain } from '../block-id.ts';
import { readShardTops } from '../read-block.ts';
import type { SourceBlock } from '../source.ts';

/**
 * The blocks that a block names with their hashes: those before it, its masterchain block, the newest of each shard.
 * @throws BlockError
 */
export function namedBlocks(block: SourceBlock): BlockIdExt[] {
  const { prevRefs, masterRef } = block.header;
  const tops = isMasterchain(block.id) ? readShardTops(block) : [];
  return [...prevRefs, ...(masterRef ? [masterRef] : []), ...tops];
}

/** Defect of a single block, with every cell hashed; null for none. */
export function findDamage({ id, boc }: SourceBlock): string | null {
  try {
    const meta = { ...id, mcSeqno: 0 };
    decodeBlock(boc, meta, new BaseColumns(), { verify: 'root', oldStatesBelowLt: 0n });
    return null;
  } catch (error) {
    if (error instanceof BlockError) return error.message;
    throw error;
  }
}
