import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { numberKey } from '../cell/key-bits.ts';
import { NO_EXTRA, Trie } from '../cell/trie.ts';
import type { FutureSplitMerge } from '../tlb/block/future-split-merge.ts';
import type { ShardDescr } from '../tlb/block/shard-descr.ts';
import type { TopBlock } from '../tlb/block/shard-hashes.ts';
import { childShards } from '../tlb/shard-ident.ts';
import { storeCurrencies } from './store-currencies.ts';

const WHOLE_WORKCHAIN = 1n << 63n;

/** The dictionary of all workchains' shards; null for no shard. The shards of a workchain must cover it. */
// _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes;
export function shardHashes(tops: readonly TopBlock[]): Cell | null {
  let dict = Trie.empty<Cell>({ keyBits: 32, store: (leaf, tree) => leaf.ref(tree), extra: NO_EXTRA });
  for (const [workchain, shards] of Map.groupBy(tops, (top) => top.workchain)) {
    const descrs = new Map(shards.map(({ shard, descr }) => [shard, descr]));
    dict = dict.set(numberKey(workchain, 32), binTree(descrs, WHOLE_WORKCHAIN));
  }
  return dict.root();
}

// bt_leaf$0 {X:Type} leaf:X = BinTree X;
// bt_fork$1 {X:Type} left:^(BinTree X) right:^(BinTree X) = BinTree X;
function binTree(descrs: ReadonlyMap<bigint, ShardDescr>, shard: bigint): Cell {
  const descr = descrs.get(shard);
  if (descr) return new CellBuilder().bit(false).with(storeShardDescr, descr).cell();
  const [left, right] = childShards(shard);
  if (left === right) throw new RangeError('the shards do not cover their workchain');
  return new CellBuilder().bit(true).ref(binTree(descrs, left)).ref(binTree(descrs, right)).cell();
}

// shard_descr_new#a …: see tlb/shard-descr.ts.
function storeShardDescr(builder: CellBuilder, descr: ShardDescr): void {
  builder.uint(0xa, 4).uint(descr.seqno, 32).uint(descr.regMcSeqno, 32);
  builder.u64(descr.startLt).u64(descr.endLt).bytes(descr.rootHash).bytes(descr.fileHash);
  builder.bit(descr.beforeSplit).bit(descr.beforeMerge).bit(descr.wantSplit).bit(descr.wantMerge);
  builder.bit(descr.nxCcUpdated).uint(0, 3).uint(descr.nextCatchainSeqno, 32).u64(descr.nextValidatorShard);
  builder.uint(descr.minRefMcSeqno, 32).uint(descr.genUtime, 32);
  builder.with(storeFutureSplitMerge, descr.splitMergeAt);
  const funds = new CellBuilder().with(storeCurrencies, descr.feesCollected);
  builder.ref(funds.with(storeCurrencies, descr.fundsCreated).cell());
}

// fsm_none$0 = FutureSplitMerge;
// fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
// fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
function storeFutureSplitMerge(builder: CellBuilder, future: FutureSplitMerge): void {
  if (future.kind === 'none') builder.bit(false);
  else
    builder
      .uint(future.kind === 'split' ? 0b10 : 0b11, 2)
      .uint(future.utime, 32)
      .uint(future.interval, 32);
}
