import { type CellBuilder, cellWith } from '../cell/cell-builder.ts';
import type { BlockInfo } from '../tlb/block/block-info.ts';
import type { GlobalVersion } from '../tlb/global-version.ts';
import { storeExtBlkRef } from './store-ext-blk-ref.ts';
import { storeShardIdent } from './store-shard-ident.ts';

/** A BlockInfo of a block with one block before it, that is no hard fork. */
export type NewBlockInfo = Omit<BlockInfo, 'prevVertRef' | 'vertSeqnoIncr' | 'afterMerge' | 'flags'>;

// block_info#9bc7a987 …: see tlb/block-info.ts.
export function storeBlockInfo(builder: CellBuilder, info: NewBlockInfo): void {
  builder.uint(0x9bc7a987, 32).uint(info.version, 32);
  builder.bit(info.notMaster).bit(false).bit(info.beforeSplit).bit(info.afterSplit);
  builder.bit(info.wantSplit).bit(info.wantMerge).bit(info.keyBlock).bit(false);
  builder
    .uint(info.genSoftware ? 1 : 0, 8)
    .uint(info.seqno, 32)
    .uint(info.vertSeqno, 32);
  builder.with(storeShardIdent, info.shard);
  builder.uint(info.genUtime, 32).u64(info.startLt).u64(info.endLt);
  builder.uint(info.genValidatorListHashShort, 32).uint(info.genCatchainSeqno, 32);
  builder.uint(info.minRefMcSeqno, 32).uint(info.prevKeyBlockSeqno, 32);
  if (info.genSoftware) builder.with(storeGlobalVersion, info.genSoftware);
  if (info.masterRef) builder.ref(cellWith(storeExtBlkRef, info.masterRef));
  builder.ref(cellWith(storeExtBlkRef, info.prevRefs[0]!));
}

// capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
export function storeGlobalVersion(builder: CellBuilder, { version, capabilities }: GlobalVersion): void {
  builder.uint(0xc4, 8).uint(version, 32).u64(capabilities);
}
