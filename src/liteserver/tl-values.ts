import type { TlValue } from '../liteapi/schema/values.ts';
import type { BlockId } from '../ton/decode/block-header.ts';

/** A block id as the protocol writes it: the shard is signed there. */
export function toTl({ workchain, shard, seqno, rootHash, fileHash }: BlockId): TlValue<'blockIdExt'> {
  return { workchain, shard: BigInt.asIntN(64, shard), seqno, root_hash: rootHash, file_hash: fileHash };
}

/** The counterpart of `toTl`. */
export function fromTl({ workchain, shard, seqno, root_hash, file_hash }: TlValue<'blockIdExt'>): BlockId {
  return {
    workchain,
    shard: BigInt.asUintN(64, shard),
    seqno: seqno >>> 0,
    rootHash: root_hash,
    fileHash: file_hash,
  };
}
