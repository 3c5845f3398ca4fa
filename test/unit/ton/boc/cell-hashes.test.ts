import { beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { sha256 } from '../../../../src/ton/hash/sha256.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { blockFiles, recorded } from './block-files.ts';
import { compareWithCore } from './compare-with-core.ts';
import { randomCell } from './made-cells.ts';
import { makeBag } from './make-bag.ts';

describe('hashes and depths at every level', () => {
  it('are those of @ton/core for random graphs with every kind of exotic cell', () => {
    for (let seed = 100; seed < 160; seed++) {
      const cell = randomCell(seed, 60);
      const boc = parseBoc(cell.toBoc());
      const result = compareWithCore(boc, new CellHashes(boc), onlyRoot(boc), cell);
      expect(result, `seed ${seed}`).toEqual({ cells: boc.cellCount, differences: [] });
    }
  });

  it('are the same however they are asked for', () => {
    const boc = parseBoc(randomCell(7, 200).toBoc());
    const [all, lazy, upwards] = [new CellHashes(boc), new CellHashes(boc), new CellHashes(boc)];
    all.computeAll();
    const root = toHex(lazy.hash(0));
    for (let cell = boc.cellCount - 1; cell >= 0; cell--) {
      expect(toHex(upwards.hash(cell))).toBe(toHex(all.hash(cell)));
      expect(upwards.depth(cell, 0)).toBe(lazy.depth(cell, 0));
    }
    expect(toHex(all.hash(0))).toBe(root);
  });

  it('take a pruned branch with level 2 only, which has one stored hash', () => {
    // Mask 2: at levels 0 and 1 the stored hash, from level 2 on its own.
    const data = [1, 2, ...Array(32).fill(0x77), 0, 9];
    const boc = parseBoc(makeBag({ cells: [{ data, exotic: true, mask: 2 }] }));
    const hashes = new CellHashes(boc);
    const own = toHex(sha256(Uint8Array.of(8 | (2 << 5), 72, ...data)));
    expect([0, 1, 2, 3].map((level) => toHex(hashes.hash(0, level)))).toEqual([
      '77'.repeat(32),
      '77'.repeat(32),
      own,
      own,
    ]);
    expect([0, 1, 2, 3].map((level) => hashes.depth(0, level))).toEqual([9, 9, 0, 0]);
  });

  it('are computed for the deepest chain without a stack of that depth', () => {
    let cell = Cell.EMPTY;
    for (let i = 0; i < 1024; i++) cell = beginCell().storeRef(cell).endCell();
    const hashes = new CellHashes(parseBoc(cell.toBoc()));
    expect(hashes.depth(0)).toBe(1024);
    expect(toHex(hashes.hash(0))).toBe(cell.hash().toString('hex'));
  });

  it('are copies: changing one changes no other', () => {
    const hashes = new CellHashes(parseBoc(Cell.EMPTY.toBoc()));
    hashes.hash(0).fill(0);
    expect(toHex(hashes.hash(0))).toBe(Cell.EMPTY.hash().toString('hex'));
    const target = new Uint8Array(34);
    hashes.hashInto(0, 3, target, 1);
    expect(toHex(target)).toBe(`00${toHex(hashes.hash(0))}00`);
  });

  it('are not given for cells outside', () => {
    const hashes = new CellHashes(parseBoc(Cell.EMPTY.toBoc()));
    for (const cell of [-1, 1, Number.NaN]) expect(() => hashes.hash(cell)).toThrow(RangeError);
  });
});

describeWithData('hashes of real data', (data) => {
  it.each([
    'blocks/mainnet-single/0_8000000000000000_57314442.boc',
    'blocks/mainnet-single/0_8000000000000000_40484438.boc',
    'blocks/mainnet-single/0_2000000000000000_571826.boc',
    'blocks/mainnet-single/0_0d83800000000000_4168601.boc',
    'blocks/mainnet-single/-1_8000000000000000_46991999.boc',
    'blocks/mainnet-single/-1_8000000000000000_58508098.boc',
    'blocks/mainnet-single/-1_8000000000000000_4160143.boc',
    'blocks/mainnet-genesis-0001/-1_8000000000000000_1.boc',
    'blocks/testnet/-1_8000000000000000_27620817.boc',
    'blocks/mainnet-mc-3082181/key_proof__3082181.boc',
    'blocks/special/pruned_header_proof_testnet_27620829.boc',
    'blocks/special/trimmed_mc_49383163_future_split_merge.boc',
  ])('%s: every cell at every level as @ton/core', (path) => {
    const bytes = recorded(data, path);
    const boc = parseBoc(bytes);
    const root = onlyRoot(boc);
    const result = compareWithCore(boc, new CellHashes(boc), root, Cell.fromBoc(Buffer.from(bytes))[0]!);
    expect(result.differences).toEqual([]);
    expect(result.cells).toBe(boc.cellCount);
  });

  it('gives the stated root hash of every recorded block', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const { name, bytes, rootHash } of blockFiles(data)) {
      const boc = parseBoc(bytes);
      if (toHex(new CellHashes(boc).hash(onlyRoot(boc))) !== rootHash) wrong.push(name);
      count++;
    }
    expect(wrong).toEqual([]);
    expect(count).toBe(723);
  });
});
