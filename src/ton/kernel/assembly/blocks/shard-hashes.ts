/** Rows of `shards`; mirrors tlb/block/shard-hashes.ts, tlb/block/shard-descr.ts. */
import {
  shards_end_lt, shards_file_hash, shards_gen_utime, shards_mc_seqno, shards_reg_mc_seqno, shards_root_hash,
  shards_seqno, shards_shard, shards_start_lt, shards_workchain, TABLE_SHARDS,
} from '../../build/columns';
import { mcSeqno } from '../announced';
import { Area } from '../area';
import { skipCurrencies } from '../currencies';
import { bad, bit, bytes32, end, enter, keep, leave, open, ref, restore, skipBits, uint, uint64 } from '../bags/cursor';
import { nextLeaf, openWalk, walkKey } from '../bags/dictionary';
import { beginRow, endRow, place, put32, put64 } from '../streams';

const WHOLE_WORKCHAIN: u64 = 0x8000000000000000;
/** A shard's prefix has at most 60 bits. */
const MAX_SPLITS: i32 = 60;
/** Far above any network's; without a limit a few cells that share references could spell out 2^60 shards. */
const MAX_SHARDS: i32 = 65536;
/** Nodes of the tree that wait: shard, cell, depth. */
const OPEN = new Area();
let found: i32 = 0;

/** _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes; from its root. */
export function writeShards(root: i32): void {
  found = 0;
  keep();
  openWalk(root, 32, false);
  while (nextLeaf()) {
    const workchain = <i32>bswap<u32>(load<u32>(walkKey()));
    const tree = ref();
    keep();
    writeTree(tree, workchain);
    restore();
    end('ShardHashes');
  }
  restore();
}

function wait(cell: i32, shard: u64, depth: i32): void {
  const to = OPEN.room(16);
  store<u64>(to, shard);
  store<i32>(to, cell, 8);
  store<i32>(to, depth, 12);
  OPEN.length += 16;
}

/** bt_leaf$0 {X:Type} leaf:X; bt_fork$1 {X:Type} left:^(BinTree X) right:^(BinTree X) = BinTree X; left first. */
function writeTree(root: i32, workchain: i32): void {
  OPEN.length = 0;
  wait(root, WHOLE_WORKCHAIN, 0);
  while (OPEN.length > 0) {
    OPEN.length -= 16;
    const from = OPEN.start + OPEN.length;
    const shard = load<u64>(from);
    const depth = load<i32>(from, 12);
    open(load<i32>(from, 8));
    if (bit()) {
      if (depth + 1 > MAX_SPLITS) bad('BinTree depth', MAX_SPLITS, depth + 1);
      const half = ((shard & (~shard + 1)) >> 1);
      const left = ref();
      wait(ref(), shard + half, depth + 1);
      wait(left, shard - half, depth + 1);
    } else {
      if (found == MAX_SHARDS) bad('ShardHashes', MAX_SHARDS, found + 1);
      found++;
      writeShard(workchain, shard);
    }
    end('BinTree ShardDescr');
  }
}

/**
 *     shard_descr#b seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256 file_hash:bits256
 *       before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool
 *       flags:(## 3) { flags = 0 } next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32
 *       gen_utime:uint32 split_merge_at:FutureSplitMerge
 *       fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr;
 *     shard_descr_new#a is the same with ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ].
 */
function writeShard(workchain: i32, shard: u64): void {
  const tag = uint(4);
  if (tag != 0xa && tag != 0xb) bad('ShardDescr', 0xb, tag);
  const row = beginRow(TABLE_SHARDS);
  put32(shards_mc_seqno, row, mcSeqno);
  put32(shards_workchain, row, workchain);
  put64(shards_shard, row, shard);
  put32(shards_seqno, row, uint(32));
  put32(shards_reg_mc_seqno, row, uint(32));
  put64(shards_start_lt, row, uint64(64));
  put64(shards_end_lt, row, uint64(64));
  bytes32(place(shards_root_hash, row, 32));
  bytes32(place(shards_file_hash, row, 32));
  skipBits(5);
  const flags = uint(3);
  if (flags != 0) bad('ShardDescr.flags', 0, flags);
  skipBits(32 + 64 + 32);
  put32(shards_gen_utime, row, uint(32));
  skipFutureSplitMerge();
  endRow(TABLE_SHARDS);
  if (tag == 0xb) {
    skipFunds();
    return;
  }
  enter(ref());
  skipFunds();
  leave('ShardDescr');
}

/** fsm_none$0, fsm_split$10 and fsm_merge$11 utime:uint32 interval:uint32 = FutureSplitMerge; */
function skipFutureSplitMerge(): void {
  if (bit()) skipBits(1 + 32 + 32);
}

function skipFunds(): void {
  skipCurrencies();
  skipCurrencies();
}
