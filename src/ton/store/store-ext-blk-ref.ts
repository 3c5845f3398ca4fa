import type { CellBuilder } from '../cell/cell-builder.ts';
import type { ExtBlkRef } from '../tlb/ext-blk-ref.ts';

// ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;
export function storeExtBlkRef(builder: CellBuilder, ref: ExtBlkRef): void {
  builder.u64(ref.endLt).uint(ref.seqno, 32).bytes(ref.rootHash).bytes(ref.fileHash);
}
