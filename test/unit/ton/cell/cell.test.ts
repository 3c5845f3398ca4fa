import { beginCell, Cell as CoreCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { CellOverflowError } from '../../../../src/ton/cell/cell-overflow-error.ts';
import { CellsOfBag, readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { blockFiles } from '../boc/block-files.ts';
import { randomCell, seeded } from '../boc/made-cells.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function sameAtAllLevels(cell: Cell, core: CoreCell): void {
  for (const level of [0, 1, 2, 3]) {
    expect(hex(cell.hash(level))).toBe(core.hash(level).toString('hex'));
    expect(cell.depth(level)).toBe(core.depth(level));
  }
}

describe('cells', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('have the hashes and depths of @ton/core (seed %d)', (seed) => {
    const core = randomCell(seed, 60);
    const cell = readCell(new Uint8Array(core.toBoc()));
    sameAtAllLevels(cell, core);
    cell.refs.forEach((ref, i) => {
      sameAtAllLevels(ref, core.refs[i]!);
    });
  });

  it.each([
    { index: true, crc: true },
    { index: false, crc: true },
    { index: false, crc: false },
    { index: true, crc: false },
  ])('are written as bags that both readers take (%o)', (form) => {
    for (const seed of [11, 12, 13]) {
      const core = randomCell(seed, 300);
      const bag = writeBag(readCell(new Uint8Array(core.toBoc())), form);
      const boc = parseBoc(bag);
      expect(hex(new CellHashes(boc).hash(onlyRoot(boc)))).toBe(core.hash().toString('hex'));
      expect(CoreCell.fromBoc(Buffer.from(bag))[0]!.equals(core)).toBe(true);
    }
  });

  it('are written in the order of @ton/core, byte for byte, where it writes the form', () => {
    const core = randomCell(21, 200);
    const cell = readCell(new Uint8Array(core.toBoc()));
    expect(hex(writeBag(cell, { index: false, crc: true }))).toBe(core.toBoc().toString('hex'));
  });
});

describe('cell builder', () => {
  it('writes what the builder of @ton/core writes', () => {
    const random = seeded(5);
    for (let round = 0; round < 200; round++) {
      const ours = new CellBuilder();
      const core = beginCell();
      for (let field = 0; field < 12; field++) {
        const bits = 1 + random(32);
        const value = Math.floor((random(2 ** 30) / 2 ** 30) * 2 ** bits);
        ours.uint(value, bits);
        core.storeUint(value, bits);
        const signed = random(200) - 100;
        ours.int(signed, 8);
        core.storeInt(signed, 8);
        const wide = BigInt(random(2 ** 30)) << BigInt(random(34));
        ours.u64(wide).coins(wide);
        core.storeUint(wide, 64).storeCoins(wide);
        if (ours.bitLength > 800) break;
      }
      const bytes = Uint8Array.from({ length: 8 }, () => random(256));
      ours.bytes(bytes).bit(true);
      core.storeBuffer(Buffer.from(bytes)).storeBit(true);
      expect(hex(ours.cell().hash())).toBe(core.endCell().hash().toString('hex'));
    }
  });

  it('copies any piece of bits', () => {
    const source = Uint8Array.from({ length: 40 }, (_, i) => (i * 73 + 5) & 0xff);
    const text = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const random = seeded(9);
    for (let round = 0; round < 300; round++) {
      const [shift, from] = [random(16), random(60)];
      const count = random(200);
      const cell = new CellBuilder().uint(0, shift).bits(source, from, count).cell();
      expect(text(cell.data).slice(shift, shift + count)).toBe(text(source).slice(from, from + count));
      expect(/1/.test(text(cell.data).slice(shift + count))).toBe(false);
    }
  });

  it('refuses what does not fit', () => {
    expect(() => new CellBuilder().uint(4, 2)).toThrow(CellOverflowError);
    expect(() => new CellBuilder().int(-129, 8)).toThrow(CellOverflowError);
    expect(() => new CellBuilder().u64(1n << 64n)).toThrow(CellOverflowError);
    expect(() => new CellBuilder().bytes(new Uint8Array(128))).toThrow(CellOverflowError);
    const full = new CellBuilder();
    for (let i = 0; i < 4; i++) full.ref(new CellBuilder().cell());
    expect(() => full.ref(new CellBuilder().cell())).toThrow(CellOverflowError);
  });
});

describeWithData('cells of real blocks', (data) => {
  it('keep their root hash through objects and a new bag', () => {
    let count = 0;
    for (const { bytes, rootHash, name } of blockFiles(data)) {
      if (++count % 8 !== 0 || bytes.length > 200_000) continue;
      const boc = parseBoc(bytes);
      const cell = new CellsOfBag(boc).cell(onlyRoot(boc));
      expect([name, hex(cell.hash())]).toEqual([name, rootHash]);
      expect([name, hex(readCell(writeBag(cell)).hash())]).toEqual([name, rootHash]);
    }
    expect(count).toBeGreaterThan(700);
  });
});
