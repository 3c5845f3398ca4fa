import { beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import {
  EMPTY_CELL_BOC,
  EMPTY_CELL_HASH,
  serializeCell,
  serializeSlice,
} from '../../../../src/ton/boc/serialize.ts';
import { toBase64 } from '../../../../src/ton/hash/base64.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { blockFiles, recorded } from './block-files.ts';
import { randomCell } from './made-cells.ts';
import { makeBag } from './make-bag.ts';

const coreBoc = (cell: Cell) => toHex(cell.toBoc({ idx: false, crc32: true }));

describe('a cell as a bag of its own', () => {
  it('has the bytes that @ton/core writes, for random graphs and each of their cells', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const root = randomCell(seed, 40);
      const boc = parseBoc(root.toBoc());
      const cells: [number, Cell][] = [[0, root]];
      for (let next = cells.pop(); next; next = cells.pop()) {
        const [cell, core] = next;
        expect(toHex(serializeCell(boc, cell)), `seed ${seed} cell ${cell}`).toBe(coreBoc(core));
        const below = cell < 12 ? core.refs : [];
        cells.push(...below.map((child, k): [number, Cell] => [boc.refs[cell * 4 + k]!, child]));
      }
    }
  });

  it.each([255, 256, 257, 65536])('has cell indexes as wide as %i cells need', (count) => {
    // Each cell has its own number, so none is equal to another; four references keep it shallow.
    const refs = (i: number) => [1, 2, 3, 4].map((k) => i * 4 + k).filter((ref) => ref < count);
    const data = (i: number) => [i >> 16, (i >> 8) & 255, i & 255];
    const cells = Array.from({ length: count }, (_, i) => ({ data: data(i), refs: refs(i) }));
    const bytes = makeBag({ cells, refSize: 3, offsetSize: 4 });
    const boc = parseBoc(bytes);
    const written = serializeCell(boc, 0);
    expect(written[4]! & 7).toBe(count < 256 ? 1 : count < 65536 ? 2 : 3);
    if (count < 65536) expect(toHex(written)).toBe(coreBoc(Cell.fromBoc(Buffer.from(bytes))[0]!));
    else expect(parseBoc(written).cellCount).toBe(count);
  });

  it('writes equal cells once, even if the bag has them twice', () => {
    const leaf = { data: [7] };
    const fork = { data: [1], refs: [4, 4] };
    const cells = [
      { data: [0], refs: [1, 2, 3, 6] },
      fork,
      { data: [1], refs: [5, 4] },
      { data: [1], refs: [4, 5] },
      leaf,
      leaf,
      { data: [7, 0xc0], d2: 3 },
    ];
    const bytes = makeBag({ cells });
    const written = serializeCell(parseBoc(bytes), 0);
    expect(parseBoc(written).cellCount).toBe(4);
    expect(toHex(written)).toBe(coreBoc(Cell.fromBoc(Buffer.from(bytes))[0]!));
  });

  it('keeps apart cells that differ in length or kind only', () => {
    const library = [2, ...Array(32).fill(5)];
    const cells = [
      { refs: [1, 2, 3, 4] },
      { data: library },
      { data: library, exotic: true },
      { data: [0x80] },
      { data: [0x40], d2: 1 },
    ];
    const bytes = makeBag({ cells });
    const written = serializeCell(parseBoc(bytes), 0);
    expect(parseBoc(written).cellCount).toBe(5);
    expect(toHex(written)).toBe(coreBoc(Cell.fromBoc(Buffer.from(bytes))[0]!));
  });

  it('drops stored hashes', () => {
    const written = serializeCell(
      parseBoc(makeBag({ cells: [{ data: [1], stored: Array(34).fill(9) }] })),
      0,
    );
    expect(toHex(written)).toBe(coreBoc(beginCell().storeUint(1, 8).endCell()));
  });
});

describe('the rest of a slice as a bag of its own', () => {
  it('has the bytes that @ton/core writes, from every bit and reference', () => {
    for (let seed = 200; seed < 215; seed++) {
      const root = randomCell(seed, 30);
      const boc = parseBoc(root.toBoc());
      for (let child = 0; child < root.refs.length; child++) {
        const cell = root.refs[child]!;
        if (cell.isExotic) continue;
        const slice = new CellSlice(boc, boc.refs[child]!);
        const core = cell.beginParse();
        const step = 1 + (seed % 7);
        for (;;) {
          expect(toHex(serializeSlice(slice))).toBe(coreBoc(core.asCell()));
          if (slice.refsLeft > 0 && slice.bitsLeft < cell.bits.length / 2) {
            slice.skipRefs(1);
            core.loadRef();
          }
          if (slice.bitsLeft < step) break;
          slice.skipBits(step);
          core.skip(step);
        }
      }
    }
  });
});

describe('the empty cell', () => {
  it('has the hash and the bag that @ton/core gives', () => {
    expect(toHex(EMPTY_CELL_HASH)).toBe(Cell.EMPTY.hash().toString('hex'));
    expect(toHex(EMPTY_CELL_BOC)).toBe(coreBoc(Cell.EMPTY));
    expect(toBase64(EMPTY_CELL_BOC)).toBe('te6cckEBAQEAAgAAAEysuc0=');
    expect(toHex(serializeCell(parseBoc(EMPTY_CELL_BOC), 0))).toBe(toHex(EMPTY_CELL_BOC));
  });
});

describeWithData('real blocks written again', (data) => {
  it.each([
    'blocks/mainnet-single/0_8000000000000000_57314442.boc',
    'blocks/mainnet-single/-1_8000000000000000_58508098.boc',
    'blocks/mainnet-single/0_2000000000000000_571826.boc',
    'blocks/mainnet-mc-3082181/proof__3082182.boc',
    'blocks/testnet/-1_8000000000000000_27620817.boc',
  ])('%s has the bytes that @ton/core writes', (path) => {
    const bytes = recorded(data, path);
    const boc = parseBoc(bytes);
    const core = Cell.fromBoc(Buffer.from(bytes))[0]!;
    expect(Buffer.compare(serializeCell(boc, onlyRoot(boc)), core.toBoc())).toBe(0);
  });

  it('keep their root hash and their cells', () => {
    const wrong: string[] = [];
    for (const { name, bytes, rootHash } of blockFiles(data)) {
      const boc = parseBoc(bytes);
      const again = parseBoc(serializeCell(boc, onlyRoot(boc)));
      const same = toHex(new CellHashes(again).hash(0)) === rootHash && again.cellCount === boc.cellCount;
      if (!same) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });
});
