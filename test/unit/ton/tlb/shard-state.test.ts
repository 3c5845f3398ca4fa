import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { loadShardHashes } from '../../../../src/ton/tlb/block/shard-hashes.ts';
import { loadShardState } from '../../../../src/ton/tlb/block/shard-state.ts';
import { sliceOf } from './cells.ts';

const EMPTY = beginCell().endCell();

function pruned(cell: Cell): Cell {
  const builder = beginCell().storeUint(1, 8).storeUint(1, 8).storeBuffer(cell.hash(0));
  return builder.storeUint(cell.depth(0), 16).endCell({ exotic: true });
}

function state(seqno: number, prefixBits: number, prefix: bigint): Cell {
  const totals = beginCell()
    .storeUint(1, 64)
    .storeUint(2, 64)
    .storeCoins(3)
    .storeBit(0)
    .storeCoins(4)
    .storeBit(0);
  const master = totals.storeBit(0).storeBit(1).storeUint(9, 64).storeUint(8, 32);
  const builder = beginCell().storeUint(0x9023afe2, 32).storeInt(-239, 32);
  builder.storeUint(0, 2).storeUint(prefixBits, 6).storeInt(0, 32).storeUint(prefix, 64);
  builder
    .storeUint(seqno, 32)
    .storeUint(1, 32)
    .storeUint(1_700_000_000, 32)
    .storeUint(77, 64)
    .storeUint(5, 32);
  builder.storeRef(EMPTY).storeBit(1).storeRef(EMPTY);
  return builder
    .storeRef(master.storeBuffer(Buffer.alloc(64, 6)).endCell())
    .storeBit(0)
    .endCell();
}

const split = (left: Cell, right: Cell) =>
  beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell();

function load(cell: Cell) {
  const { boc, cell: root } = sliceOf(cell);
  return loadShardState(boc, root);
}

describe('ShardState', () => {
  it('an unsplit state', () => {
    const [read] = load(state(4, 0, 0n));
    expect(read).toMatchObject({
      globalId: -239,
      seqno: 4,
      vertSeqno: 1,
      genUtime: 1_700_000_000,
      genLt: 77n,
      minRefMcSeqno: 5,
      beforeSplit: true,
      custom: -1,
      totals: {
        overloadHistory: 1n,
        underloadHistory: 2n,
        totalBalance: { grams: 3n },
        totalValidatorFees: { grams: 4n },
        libraries: -1,
        masterRef: { endLt: 9n, seqno: 8 },
      },
    });
  });

  it('a split state gives both halves', () => {
    const halves = load(split(state(4, 1, 0n), state(5, 1, 1n << 63n)));
    expect(halves.map((half) => [half.seqno, half.shard.shard])).toEqual([
      [4, 0x4000000000000000n],
      [5, 0xc000000000000000n],
    ]);
  });

  it('a split state with a pruned half gives the other', () => {
    const left = state(4, 1, 0n);
    const right = pruned(state(5, 1, 1n << 63n));
    const update = beginCell().storeUint(3, 8).storeBuffer(split(left, right).hash(0));
    const root = update.storeUint(split(left, right).depth(0), 16).storeRef(split(left, right));
    const { boc } = sliceOf(root.endCell({ exotic: true }).beginParse(true).loadRef());
    expect(loadShardState(boc, 0).map((half) => half.seqno)).toEqual([4]);
  });

  it('refuses another tag, and a split inside a split', () => {
    const tag = expect.objectContaining({ name: 'CellError', code: 'tag' });
    expect(() => load(beginCell().storeUint(0x9023afe3, 32).endCell())).toThrow(tag);
    const left = state(4, 1, 0n);
    expect(() => load(split(left, split(left, left)))).toThrow(tag);
  });
});

describe('ShardHashes', () => {
  it('refuses a tree that a few cells spell out without end', () => {
    let tree = beginCell().storeBit(0).endCell();
    for (let depth = 0; depth < 61; depth++) {
      tree = beginCell().storeBit(1).storeRef(tree).storeRef(tree).endCell();
    }
    // hml_same of 32 zero bits, then the reference to the tree
    const dictionary = beginCell().storeUint(0b110, 3).storeUint(32, 6).storeRef(tree).endCell();
    const { boc, cell } = sliceOf(dictionary);
    expect(() => loadShardHashes(boc, cell)).toThrow(
      expect.objectContaining({ name: 'CellError', code: 'value' }),
    );
  });
});
