import type { CellSlice } from '../../boc/cell-slice.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';
import { badValue, unknownTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { type FutureSplitMerge, loadFutureSplitMerge } from './future-split-merge.ts';

/** The top block of a shard as a masterchain block states it, without its coins. */
export interface ShardTopDescr {
  readonly seqno: number;
  readonly regMcSeqno: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly beforeSplit: boolean;
  readonly beforeMerge: boolean;
  readonly wantSplit: boolean;
  readonly wantMerge: boolean;
  readonly nxCcUpdated: boolean;
  readonly nextCatchainSeqno: number;
  readonly nextValidatorShard: bigint;
  readonly minRefMcSeqno: number;
  readonly genUtime: number;
  readonly splitMergeAt: FutureSplitMerge;
}

export interface ShardDescr extends ShardTopDescr {
  readonly feesCollected: CurrencyCollection;
  readonly fundsCreated: CurrencyCollection;
}

const SHARD_DESCR = 0xb;
const SHARD_DESCR_NEW = 0xa;

// shard_descr#b seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256 file_hash:bits256
//   before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool
//   flags:(## 3) { flags = 0 } next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32
//   gen_utime:uint32 split_merge_at:FutureSplitMerge
//   fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr;
// shard_descr_new#a is the same with ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ].
export function loadShardDescr(slice: CellSlice): ShardDescr {
  const tag = slice.peekUint(4);
  const fields = loadShardTop(slice);
  const funds =
    tag === SHARD_DESCR_NEW
      ? loadWholeCell(slice.boc, slice.ref(), 'ShardDescr', loadFunds)
      : loadFunds(slice);
  return { ...fields, ...funds };
}

/** The part of a ShardDescr before its coins, which may be in a cell below. */
export function loadShardTop(slice: CellSlice): ShardTopDescr {
  const tag = slice.uint(4);
  if (tag !== SHARD_DESCR && tag !== SHARD_DESCR_NEW) throw unknownTag(slice, 'ShardDescr', tag);
  return loadFields(slice);
}

function loadFunds(slice: CellSlice) {
  return { feesCollected: loadCurrencyCollection(slice), fundsCreated: loadCurrencyCollection(slice) };
}

function loadFields(slice: CellSlice) {
  const block = {
    seqno: slice.uint(32),
    regMcSeqno: slice.uint(32),
    startLt: slice.u64(),
    endLt: slice.u64(),
    rootHash: slice.bytes(32),
    fileHash: slice.bytes(32),
  };
  const bits = {
    beforeSplit: slice.bit(),
    beforeMerge: slice.bit(),
    wantSplit: slice.bit(),
    wantMerge: slice.bit(),
    nxCcUpdated: slice.bit(),
  };
  const flags = slice.uint(3);
  if (flags !== 0) throw badValue(slice, 'ShardDescr.flags', 0, flags);
  return {
    ...block,
    ...bits,
    nextCatchainSeqno: slice.uint(32),
    nextValidatorShard: slice.u64(),
    minRefMcSeqno: slice.uint(32),
    genUtime: slice.uint(32),
    splitMergeAt: loadFutureSplitMerge(slice),
  };
}
