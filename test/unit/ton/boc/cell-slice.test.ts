import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellError } from '../../../../src/ton/boc/cell-error.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { library, seeded } from './made-cells.ts';

const sliceOf = (cell: Cell) => new CellSlice(parseBoc(cell.toBoc()), 0);
const slice = (build: (builder: Builder) => Builder) => sliceOf(build(beginCell()).endCell());
const error = (facts: object) => expect.objectContaining({ name: 'CellError', ...facts });

describe('numbers', () => {
  it('of every width at every bit position are those that @ton/core reads', () => {
    const random = seeded(42);
    for (let round = 0; round < 300; round++) {
      const bits = 1 + random(1023);
      const builder = beginCell();
      for (let i = 0; i < bits; i++) builder.storeBit(random(2) === 1);
      const cell = builder.endCell();
      const [ours, core] = [sliceOf(cell), cell.beginParse()];
      while (ours.bitsLeft > 0) {
        const n = Math.min(ours.bitsLeft, random(5) === 0 ? random(258) : random(34));
        const kind = random(6);
        if (kind === 0) expect(ours.bit()).toBe(core.loadBit());
        else if (kind === 1) expect(ours.bigUint(n)).toBe(core.loadUintBig(n));
        else if (kind === 2 && n > 0 && n <= 257) expect(ours.bigInt(n)).toBe(core.loadIntBig(n));
        else if (kind === 3 && n > 0 && n <= 32) expect(ours.int(n)).toBe(core.loadInt(n));
        else if (kind === 4) expect(toHex(ours.bytes(n >> 3))).toBe(core.loadBuffer(n >> 3).toString('hex'));
        else if (n <= 32) {
          expect(ours.peekUint(n)).toBe(core.preloadUint(n));
          expect(ours.uint(n)).toBe(core.loadUint(n));
        }
        expect(ours.bitsLeft).toBe(core.remainingBits);
        expect(ours.bitPosition).toBe(bits - core.remainingBits);
      }
    }
  });

  it('of no bits are zero', () => {
    const empty = slice((b) => b);
    expect([empty.uint(0), empty.int(0), empty.bigUint(0), empty.bigInt(0)]).toEqual([0, 0, 0n, 0n]);
    expect(empty.bytes(0)).toEqual(new Uint8Array());
  });

  it('at the ends of their ranges', () => {
    const s = slice((b) =>
      b
        .storeBit(1)
        .storeUint(0xffffffffn, 32)
        .storeInt(-0x80000000, 32)
        .storeUint(2n ** 64n - 1n, 64),
    );
    expect(s.bit()).toBe(true);
    expect([s.uint(32), s.int(32), s.u64()]).toEqual([0xffffffff, -0x80000000, 2n ** 64n - 1n]);
    s.end('all of it');
  });

  it('of variable length: coins and VarUInteger 7 and 32', () => {
    const most = 2n ** 120n - 1n;
    const s = slice((b) =>
      b
        .storeCoins(0)
        .storeCoins(most)
        .storeVarUint(5, 3)
        .storeVarUint(2n ** 248n - 1n, 5),
    );
    expect([s.coins(), s.coins(), s.varUint(3), s.varUint(5)]).toEqual([0n, most, 5n, 2n ** 248n - 1n]);
    expect(s.done()).toBe(true);
  });
});

describe('references', () => {
  const [one, two] = [beginCell().storeUint(1, 8).endCell(), beginCell().storeUint(2, 8).endCell()];

  it('are cell indexes, in order', () => {
    const s = slice((b) => b.storeRef(one).storeMaybeRef(null).storeMaybeRef(two));
    expect([s.refsLeft, s.refPosition]).toEqual([2, 0]);
    const first = s.ref();
    expect(s.maybeRef()).toBe(-1);
    const second = s.maybeRef();
    expect([s.refsLeft, s.refPosition]).toEqual([0, 2]);
    expect([s.clone().reset(first).uint(8), s.reset(second).uint(8)]).toEqual([1, 2]);
  });

  it('that are said to be there and are not', () => {
    const s = slice((b) => b.storeBit(1));
    expect(() => s.maybeRef()).toThrow(error({ code: 'underflow' }));
    expect(s.bitPosition).toBe(0);
    expect(() => s.ref()).toThrow(error({ code: 'underflow', expected: '1 reference' }));
    expect(() => s.skipRefs(1)).toThrow(error({ code: 'underflow' }));
  });
});

describe('the end of the cell', () => {
  it('is a CellError for every read, which moves nothing', () => {
    const s = slice((b) => b.storeUint(0xf, 4).storeUint(5, 7));
    s.uint(4);
    const reads = [
      () => s.uint(8),
      () => s.int(8),
      () => s.peekUint(32),
      () => s.bigUint(8),
      () => s.bigUint(1000),
      () => s.bigInt(64),
      () => s.u64(),
      () => s.bytes(1),
      () => s.bytesInto(new Uint8Array(4), 0, 1),
      () => s.skipBits(8),
      () => s.coins(),
      () => s.varUint(5),
    ];
    // 0000101: the varUint lengths read 0 and 1 from it.
    for (const read of reads.slice(0, 10)) {
      expect(read).toThrow(error({ code: 'underflow', cell: 0, bit: 4, found: '7 left' }));
      expect(s.bitPosition).toBe(4);
    }
    const long = slice((b) => b.storeUint(15, 4).storeUint(0, 119));
    expect(() => long.coins()).toThrow(error({ code: 'underflow', bit: 0 }));
    expect(long.bitPosition).toBe(0);
    const none = slice((b) => b);
    expect(() => none.bit()).toThrow(CellError);
    expect(() => none.uint(1)).toThrow(CellError);
  });

  it('is demanded by end(), which says what and how much is left', () => {
    const s = slice((b) => b.storeUint(1, 9).storeRef(beginCell().endCell()));
    s.uint(8);
    expect(() => s.end('Thing')).toThrow(
      error({ code: 'leftover', what: 'Thing', bit: 8, found: '1 bits and 1 references more' }),
    );
    s.skipBits(1);
    expect(s.done()).toBe(false);
    s.skipRefs(1);
    expect(s.done()).toBe(true);
    s.end('Thing');
  });
});

describe('cells that are not data', () => {
  const root = beginCell()
    .storeRef(library(Buffer.alloc(32, 7)))
    .endCell();

  it('are refused by reset and the constructor, taken by resetAny', () => {
    const s = sliceOf(root);
    const exotic = s.ref();
    expect(() => s.clone().reset(exotic)).toThrow(error({ code: 'exotic', cell: exotic }));
    expect(() => new CellSlice(s.boc, exotic)).toThrow(error({ code: 'exotic' }));
    s.resetAny(exotic);
    expect([s.uint(8), toHex(s.bytes(32)), s.done()]).toEqual([2, '07'.repeat(32), true]);
  });

  it('and cells outside the bag are refused', () => {
    const s = sliceOf(root);
    for (const cell of [-1, 2, 1.5]) expect(() => s.resetAny(cell), `${cell}`).toThrow(CellError);
    expect(() => s.reset(99)).toThrow(error({ code: 'value', what: 'cell index', found: 99 }));
  });

  it('give nothing before the first reset', () => {
    const nowhere = new CellSlice(sliceOf(root).boc, -1);
    expect([nowhere.cell, nowhere.done()]).toEqual([-1, true]);
    expect(() => nowhere.bit()).toThrow(error({ code: 'underflow' }));
    expect(() => nowhere.ref()).toThrow(error({ code: 'underflow' }));
    expect(nowhere.reset(0).refsLeft).toBe(1);
  });
});

describe('copies', () => {
  it('move on their own', () => {
    const s = slice((b) => b.storeUint(0x1234, 16));
    s.uint(4);
    const copy = s.clone();
    expect([copy.uint(4), copy.cell, copy.boc === s.boc]).toEqual([2, 0, true]);
    expect(s.uint(4)).toBe(2);
    copy.uint(8);
    expect([copy.bitsLeft, s.bitsLeft]).toEqual([0, 8]);
  });

  it('of bytes leave the target beside them alone', () => {
    const s = slice((b) => b.storeUint(1, 3).storeUint(0xabcdef, 24));
    s.uint(3);
    const target = new Uint8Array(5).fill(0x55);
    s.bytesInto(target, 1, 3);
    expect(toHex(target)).toBe('55abcdef55');
  });
});
