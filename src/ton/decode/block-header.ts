import { sha256 } from '../hash/sha256.ts';
import type { BlockInfo } from '../tlb/block/block-info.ts';
import { loadMcBlockExtra } from '../tlb/block/mc-block-extra.ts';
import type { ExtBlkRef } from '../tlb/ext-blk-ref.ts';
import { childShards, parentShard } from '../tlb/shard-ident.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { blockName, Contradiction, namingBlock } from './block-error.ts';
import { openBlock } from './open-block.ts';

/** A block's full id. */
export interface BlockId {
  readonly workchain: number;
  /** Unsigned 64 bits. */
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** Facts of a block that a source needs to place it. */
export interface BlockHeader extends BlockId {
  readonly globalId: number;
  readonly genUtime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly keyBlock: boolean;
  readonly afterSplit: boolean;
  readonly afterMerge: boolean;
  readonly beforeSplit: boolean;
  readonly vertSeqno: number;
  readonly vertSeqnoIncr: boolean;
  readonly prevKeyBlockSeqno: number;
  /** The blocks before it, each with its own shard: one, or two after a merge (left, right). */
  readonly prevRefs: readonly BlockId[];
  /** The masterchain block that it refers to; null in masterchain blocks. */
  readonly masterRef: BlockId | null;
}

const MASTERCHAIN = { workchain: -1, shard: 0x8000000000000000n };

/**
 * Reads a block's header. `rootHash` is computed over every cell, `fileHash` is the SHA-256 of the bytes as given.
 * @throws BlockError
 */
export function readBlockHeader(bytes: Uint8Array): BlockHeader {
  return namingBlock('(unknown)', () => {
    const { block, info, hashes, root } = openBlock(bytes);
    hashes.computeAll();
    const { workchain, shard } = info.shard;
    return {
      workchain,
      shard,
      seqno: info.seqno,
      rootHash: hashes.hash(root),
      fileHash: sha256(bytes),
      globalId: block.globalId,
      genUtime: info.genUtime,
      startLt: info.startLt,
      endLt: info.endLt,
      keyBlock: info.keyBlock,
      afterSplit: info.afterSplit,
      afterMerge: info.afterMerge,
      beforeSplit: info.beforeSplit,
      vertSeqno: info.vertSeqno,
      vertSeqnoIncr: info.vertSeqnoIncr,
      prevKeyBlockSeqno: info.prevKeyBlockSeqno,
      prevRefs: prevIds(info),
      masterRef: info.masterRef && toBlockId(MASTERCHAIN, info.masterRef),
    };
  });
}

function prevIds(info: BlockInfo): BlockId[] {
  const { workchain, shard } = info.shard;
  const shards = info.afterMerge ? childShards(shard) : [info.afterSplit ? parentShard(shard) : shard];
  return info.prevRefs.map((ref, index) => toBlockId({ workchain, shard: shards[index] as bigint }, ref));
}

function toBlockId(shard: { workchain: number; shard: bigint }, ref: ExtBlkRef): BlockId {
  return { ...shard, seqno: ref.seqno, rootHash: ref.rootHash, fileHash: ref.fileHash };
}

/** A shard's newest block as a masterchain block names it. */
export interface ShardTop extends BlockId {
  readonly endLt: bigint;
}

/**
 * The top shard blocks that a masterchain block names, in the order of `shards` rows.
 * @throws BlockError; code `kind` for a block that is not of the masterchain
 */
export function readShardHashes(bytes: Uint8Array): ShardTop[] {
  return namingBlock('(unknown)', () => {
    const { boc, extra, info } = openBlock(bytes);
    if (extra.custom < 0) {
      const id = { workchain: info.shard.workchain, shard: info.shard.shard, seqno: info.seqno };
      throw new Contradiction('kind', `${blockName(id)} is not a masterchain block`);
    }
    const { shards } = loadWholeCell(boc, extra.custom, 'McBlockExtra', loadMcBlockExtra);
    return shards.map(({ workchain, shard, descr }) => {
      const { seqno, rootHash, fileHash, endLt } = descr;
      return { workchain, shard, seqno, rootHash, fileHash, endLt };
    });
  });
}
