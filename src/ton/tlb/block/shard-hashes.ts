import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { childShards } from '../shard-ident.ts';
import { badValue } from '../tag.ts';
import { loadShardDescr, type ShardDescr } from './shard-descr.ts';

/** A shard and its top block. */
export interface TopBlock {
  readonly workchain: number;
  /** Unsigned 64 bits. */
  readonly shard: bigint;
  readonly descr: ShardDescr;
}

const WHOLE_WORKCHAIN = 0x8000000000000000n;
/** A shard's prefix has at most 60 bits. */
const MAX_SPLITS = 60;
/** Far above any network's; without a limit a few cells that share references could spell out 2^60 shards. */
const MAX_SHARDS = 65_536;

/** All top blocks: workchains in the order of the dictionary (0 before -1), shards from left to right. */
// _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes;
export function loadShardHashes(boc: Boc, root: number): TopBlock[] {
  const blocks: TopBlock[] = [];
  forEachLeaf(boc, root, 32, (key, value) => {
    const workchain = new DataView(key.buffer, key.byteOffset).getInt32(0);
    loadBinTree(boc, value.ref(), workchain, blocks);
    value.end('ShardHashes');
  });
  return blocks;
}

// bt_leaf$0 {X:Type} leaf:X = BinTree X;
// bt_fork$1 {X:Type} left:^(BinTree X) right:^(BinTree X) = BinTree X;
function loadBinTree(boc: Boc, root: number, workchain: number, blocks: TopBlock[]): void {
  const open = [{ cell: root, shard: WHOLE_WORKCHAIN, depth: 0 }];
  for (let node = open.pop(); node; node = open.pop()) {
    const slice = new CellSlice(boc, node.cell);
    if (slice.bit()) {
      const depth = node.depth + 1;
      if (depth > MAX_SPLITS) throw badValue(slice, 'BinTree depth', `at most ${MAX_SPLITS}`, depth);
      const [left, right] = childShards(node.shard);
      const cells = [slice.ref(), slice.ref()] as const;
      open.push({ cell: cells[1], shard: right, depth }, { cell: cells[0], shard: left, depth });
    } else {
      if (blocks.length === MAX_SHARDS) throw badValue(slice, 'ShardHashes', `at most ${MAX_SHARDS}`, 'more');
      blocks.push({ workchain, shard: node.shard, descr: loadShardDescr(slice) });
    }
    slice.end('BinTree ShardDescr');
  }
}
