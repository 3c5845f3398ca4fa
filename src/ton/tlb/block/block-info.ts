import type { CellSlice } from '../../boc/cell-slice.ts';
import { type ExtBlkRef, loadExtBlkRef } from '../ext-blk-ref.ts';
import { type GlobalVersion, loadGlobalVersion } from '../global-version.ts';
import { loadShardIdent, type ShardIdent } from '../shard-ident.ts';
import { badValue, expectTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { loadBlkPrevInfo } from './blk-prev-info.ts';

/** A block's header without the cells below it. */
export interface BlockNumbers {
  readonly version: number;
  readonly notMaster: boolean;
  readonly afterMerge: boolean;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  readonly wantSplit: boolean;
  readonly wantMerge: boolean;
  readonly keyBlock: boolean;
  readonly vertSeqnoIncr: boolean;
  readonly flags: number;
  readonly seqno: number;
  readonly vertSeqno: number;
  readonly shard: ShardIdent;
  readonly genUtime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly genValidatorListHashShort: number;
  readonly genCatchainSeqno: number;
  readonly minRefMcSeqno: number;
  readonly prevKeyBlockSeqno: number;
  readonly genSoftware: GlobalVersion | null;
}

export interface BlockInfo extends BlockNumbers {
  /** null in masterchain blocks. */
  readonly masterRef: ExtBlkRef | null;
  /** One, or two after a merge: left, right. */
  readonly prevRefs: readonly ExtBlkRef[];
  readonly prevVertRef: ExtBlkRef | null;
}

// block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
//   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 }
//   seq_no:# vert_seq_no:# { vert_seq_no >= vert_seqno_incr } { prev_seq_no:# } { ~prev_seq_no + 1 = seq_no }
//   shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64 gen_validator_list_hash_short:uint32
//   gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32
//   gen_software:flags . 0?GlobalVersion master_ref:not_master?^BlkMasterInfo
//   prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
// master_info$_ master:ExtBlkRef = BlkMasterInfo;
export function loadBlockInfo(slice: CellSlice): BlockInfo {
  const { boc } = slice;
  const numbers = loadBlockNumbers(slice);
  const masterRef = numbers.notMaster
    ? loadWholeCell(boc, slice.ref(), 'BlkMasterInfo', loadExtBlkRef)
    : null;
  const prevRefs = loadBlkPrevInfo(boc, slice.ref(), numbers.afterMerge);
  const prevVertRef = numbers.vertSeqnoIncr
    ? loadWholeCell(boc, slice.ref(), 'BlkPrevInfo', loadExtBlkRef)
    : null;
  return { ...numbers, masterRef, prevRefs, prevVertRef };
}

/** The part of BlockInfo before its references, which a proof may have pruned. */
export function loadBlockNumbers(slice: CellSlice): BlockNumbers {
  expectTag(slice, 32, 0x9bc7a987, 'BlockInfo');
  const version = slice.uint(32);
  const bits = loadFlagBits(slice);
  const flags = slice.uint(8);
  if (flags > 1) throw badValue(slice, 'BlockInfo.flags', 'at most 1', flags);
  const numbers = loadNumbers(slice);
  const genSoftware = (flags & 1) !== 0 ? loadGlobalVersion(slice) : null;
  return { version, ...bits, flags, ...numbers, genSoftware };
}

function loadFlagBits(slice: CellSlice) {
  return {
    notMaster: slice.bit(),
    afterMerge: slice.bit(),
    beforeSplit: slice.bit(),
    afterSplit: slice.bit(),
    wantSplit: slice.bit(),
    wantMerge: slice.bit(),
    keyBlock: slice.bit(),
    vertSeqnoIncr: slice.bit(),
  };
}

function loadNumbers(slice: CellSlice) {
  return {
    seqno: slice.uint(32),
    vertSeqno: slice.uint(32),
    shard: loadShardIdent(slice),
    genUtime: slice.uint(32),
    startLt: slice.u64(),
    endLt: slice.u64(),
    genValidatorListHashShort: slice.uint(32),
    genCatchainSeqno: slice.uint(32),
    minRefMcSeqno: slice.uint(32),
    prevKeyBlockSeqno: slice.uint(32),
  };
}
