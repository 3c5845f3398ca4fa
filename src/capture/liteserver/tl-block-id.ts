import type { TlValue } from '../../liteapi/schema/values.ts';
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';

/** A block id in the form of the lite server protocol. */
export function toTlId({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): TlValue<'blockIdExt'> {
  return { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash };
}

/** A block id from the lite server protocol, with copies of the hashes. */
export function fromTlId(id: TlValue<'blockIdExt'>): BlockIdExt {
  return {
    workchain: id.workchain,
    shard: BigInt.asUintN(64, id.shard),
    seqno: id.seqno >>> 0,
    rootHash: Uint8Array.from(id.root_hash),
    fileHash: Uint8Array.from(id.file_hash),
  };
}

/** The place of a masterchain block. */
export function masterchainPlace(seqno: number): TlValue<'blockId'> {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
}
