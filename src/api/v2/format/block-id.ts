import { shardHex, shardSigned } from '../../entities/blocks/shard-text.ts';

/** The tag of block ids: the specification's, and the one that published clients insist on. */
export type BlockIdTag = 'chain.blockIdExt' | 'ton.blockIdExt';

/** A block id as the store answers it: the shard unsigned decimal or a number, hashes base64. */
export interface BlockId {
  readonly workchain: number;
  readonly shard: string | bigint;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

/** A block id of an answer. */
export interface BlockIdExt extends BlockId {
  readonly '@type': BlockIdTag;
  /** Signed 64-bit decimal. */
  readonly shard: string;
}

/** A block id with the tag that the route answers with. */
export function blockIdExt(tag: BlockIdTag, block: BlockId): BlockIdExt {
  return {
    '@type': tag,
    workchain: block.workchain,
    shard: shardSigned(block.shard),
    seqno: block.seqno,
    root_hash: block.root_hash,
    file_hash: block.file_hash,
  };
}

/** `(workchain,shard,seqno)` as errors name a block. */
export function blockName(workchain: number, shard: bigint, seqno: number): string {
  return `(${workchain},${shardHex(shard)},${seqno})`;
}
