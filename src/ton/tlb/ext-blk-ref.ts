import type { CellSlice } from '../boc/cell-slice.ts';

/** A reference to a block whose shard is known from elsewhere. */
export interface ExtBlkRef {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

// ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;
export function loadExtBlkRef(slice: CellSlice): ExtBlkRef {
  return { endLt: slice.u64(), seqno: slice.uint(32), rootHash: slice.bytes(32), fileHash: slice.bytes(32) };
}
