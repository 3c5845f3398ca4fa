import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { numberKey } from '../../../../src/ton/cell/key-bits.ts';
import { NO_EXTRA, Trie } from '../../../../src/ton/cell/trie.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { findShard } from '../../../../src/ton/tlb/block/find-shard.ts';
import { childShards, shardsTouch } from '../../../../src/ton/tlb/shard-ident.ts';

/** A tree of shards, whose leaves contain their own shard; `depth` splits everywhere. */
function tree(shard: bigint, depth: number): Cell {
  if (depth === 0) return new CellBuilder().bit(false).u64(shard).cell();
  const [left, right] = childShards(shard);
  return new CellBuilder()
    .bit(true)
    .ref(tree(left, depth - 1))
    .ref(tree(right, depth - 1))
    .cell();
}

describe('findShard', () => {
  it('finds the shard of every prefix, in trees of any depth', () => {
    for (let depth = 0; depth <= 4; depth++) {
      const form = {
        keyBits: 32,
        store: (to: CellBuilder, cell: Cell) => void to.ref(cell),
        extra: NO_EXTRA,
      };
      const dict = Trie.empty<Cell>(form).set(numberKey(0, 32), tree(1n << 63n, depth));
      const boc = parseBoc(writeBag(dict.root()!));
      for (let prefix = 0n; prefix < 64n; prefix++) {
        const point = { workchain: 0, prefix: prefix << 58n };
        const found = findShard(new CellSlice(boc, onlyRoot(boc)), point)!;
        expect(found.descr.u64()).toBe(found.shard);
        expect(shardsTouch(found.shard, point.prefix | 1n)).toBe(true);
        expect(found.shard & -found.shard).toBe(1n << BigInt(63 - depth));
      }
      expect(findShard(new CellSlice(boc, onlyRoot(boc)), { workchain: -1, prefix: 0n })).toBeNull();
    }
  });
});
