import { beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import { hashSlice, hashVirtualCell } from '../../../../src/ton/boc/virtual-cell.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { pruned, prunedTwice, randomCell, seeded } from './made-cells.ts';

describe('the hash of the rest of a slice', () => {
  it('is that of @ton/core from every bit, for graphs with levels', () => {
    for (let seed = 300; seed < 320; seed++) {
      const root = randomCell(seed, 30);
      const boc = parseBoc(root.toBoc());
      const hashes = new CellHashes(boc);
      root.refs.forEach((cell, child) => {
        if (cell.isExotic) return;
        const slice = new CellSlice(boc, boc.refs[child]!);
        const core = cell.beginParse();
        for (;;) {
          expect(toHex(hashSlice(slice, hashes))).toBe(core.asCell().hash().toString('hex'));
          if (slice.refsLeft > 0 && slice.bitPosition % 5 === 4) {
            slice.skipRefs(1);
            core.loadRef();
          }
          if (slice.bitsLeft < 3) break;
          slice.skipBits(3);
          core.skip(3);
        }
        expect(toHex(hashes.hash(boc.refs[child]!))).toBe(cell.hash().toString('hex'));
      });
    }
  });

  it('takes the level of the references that are left', () => {
    const hidden = beginCell().storeUint(1, 8).endCell();
    const once = beginCell().storeRef(pruned(hidden)).endCell();
    const root = beginCell()
      .storeUint(3, 7)
      .storeRef(prunedTwice(once))
      .storeRef(once)
      .storeRef(hidden)
      .endCell();
    const slice = new CellSlice(parseBoc(root.toBoc()), 0);
    const hashes = new CellHashes(slice.boc);
    const core = root.beginParse();
    for (let n = 0; n < 3; n++) {
      slice.skipRefs(1);
      core.loadRef();
      expect(toHex(hashSlice(slice, hashes))).toBe(core.asCell().hash().toString('hex'));
    }
  });

  it('is that of the empty cell at the end', () => {
    const slice = new CellSlice(parseBoc(beginCell().storeUint(5, 3).endCell().toBoc()), 0);
    slice.skipBits(3);
    expect(toHex(hashSlice(slice, new CellHashes(slice.boc)))).toBe(Cell.EMPTY.hash().toString('hex'));
  });
});

describe('the hash of a cell that is in no bag', () => {
  it('is that of @ton/core for every length and number of references', () => {
    const random = seeded(5);
    const child = randomCell(1, 12);
    const refs = [child, Cell.EMPTY, beginCell().storeRef(child).endCell(), child].filter(
      (c) => c.level() === 0,
    );
    for (let length = 0; length <= 1023; length += 1 + random(9)) {
      const bytes = Uint8Array.from({ length: 128 }, () => random(256));
      const builder = beginCell();
      for (let i = 0; i < length; i++) builder.storeBit((bytes[i >> 3]! & (0x80 >> (i & 7))) !== 0);
      const used = refs.slice(0, random(refs.length + 1));
      for (const ref of used) builder.storeRef(ref);
      const cell = builder.endCell();
      const known = used.map((ref) => ({ hash: new Uint8Array(ref.hash()), depth: ref.depth() }));
      const result = hashVirtualCell(bytes, length, known);
      expect([toHex(result.hash), result.depth]).toEqual([cell.hash().toString('hex'), cell.depth()]);
    }
  });

  it('is refused where it cannot be a cell', () => {
    const ref = { hash: new Uint8Array(32), depth: 0 };
    expect(() => hashVirtualCell(new Uint8Array(128), 1024, [])).toThrow(RangeError);
    expect(() => hashVirtualCell(new Uint8Array(1), 9, [])).toThrow(RangeError);
    expect(() => hashVirtualCell(new Uint8Array(1), 8, [ref, ref, ref, ref, ref])).toThrow(RangeError);
  });
});
