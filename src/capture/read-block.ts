import { CellSlice } from '../ton/boc/cell-slice.ts';
import { namingBlock } from '../ton/decode/block-error.ts';
import { type BlockHeader, readBlockHeader } from '../ton/decode/block-header.ts';
import { openBlock } from '../ton/decode/open-block.ts';
import { loadMcBlockExtra } from '../ton/tlb/block/mc-block-extra.ts';
import type { TopBlock } from '../ton/tlb/block/shard-hashes.ts';
import { loadMerkleUpdate } from '../ton/tlb/merkle-update.ts';
import { loadWholeCell } from '../ton/tlb/whole-cell.ts';
import { blockIdText } from './block-id.ts';
import type { ShardTop } from './shard-top.ts';
import type { SourceBlock } from './source.ts';

export type { BlockHeader };

/**
 * A block with its id computed from its bytes.
 * @throws BlockError
 */
export function readSourceBlock(boc: Uint8Array, origin: string): SourceBlock {
  const header = readBlockHeader(boc);
  const { workchain, shard, seqno, rootHash, fileHash } = header;
  return { id: { workchain, shard, seqno, rootHash, fileHash }, boc, header, origin };
}

/**
 * The shard blocks that a masterchain block names as the newest.
 * @throws BlockError
 */
export function readShardTops({ id, boc: bytes }: SourceBlock): ShardTop[] {
  return namingBlock(blockIdText(id), () => {
    const { boc, extra } = openBlock(bytes);
    if (extra.custom < 0) return [];
    return loadWholeCell(boc, extra.custom, 'McBlockExtra', loadMcBlockExtra).shards.map(shardTop);
  });
}

/** One leaf of ShardHashes. */
export function shardTop({ workchain, shard, descr }: TopBlock): ShardTop {
  const { seqno, rootHash, fileHash, regMcSeqno } = descr;
  return { workchain, shard, seqno, rootHash, fileHash, regMcSeqno };
}

/**
 * Root hash of the state before the block, as its state update has it.
 * @throws BlockError
 */
export function readStateHashBefore({ id, boc: bytes }: SourceBlock): Uint8Array {
  return namingBlock(blockIdText(id), () => {
    const { boc, block } = openBlock(bytes);
    return loadMerkleUpdate(new CellSlice(boc, block.info).resetAny(block.stateUpdate)).oldHash;
  });
}
