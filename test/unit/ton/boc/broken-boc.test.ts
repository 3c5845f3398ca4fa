import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { BocError, type BocErrorCode } from '../../../../src/ton/boc/boc-error.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { recorded } from './block-files.ts';
import { type MadeBag, type MadeCell, makeBag, withCrc } from './make-bag.ts';

function errorOf(bytes: Uint8Array): BocError {
  try {
    parseBoc(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(BocError);
    return error as BocError;
  }
  throw new Error('the bag was taken');
}

const leaf: MadeCell = { data: [1] };
const pair: MadeCell[] = [{ data: [1], refs: [1] }, leaf];
const zeros = (n: number): number[] => Array(n).fill(0);

describe('a broken header', () => {
  const cases: [string, BocErrorCode, MadeBag][] = [
    ['unknown magic', 'magic', { cells: pair, magic: 0xb5ee9c73, index: false }],
    ['a reserved flag', 'flags', { cells: pair, flags: 0x09 }],
    ['cache bits without an index', 'flags', { cells: pair, flags: 0x21 }],
    ['cell indexes of 0 bytes', 'size', { cells: pair, flags: 0x00 }],
    ['cell indexes of 5 bytes', 'size', { cells: pair, flags: 0x05 }],
    ['cell indexes of 128 bytes in the idx form', 'size', { cells: pair, magic: 0x68ff65f3, flags: 128 }],
    ['no cells', 'count', { cells: pair, cellCount: 0 }],
    ['no roots', 'count', { cells: pair, rootCount: 0 }],
    ['more roots than cells', 'count', { cells: pair, roots: [0, 0, 0] }],
    ['two roots in the idx form', 'count', { cells: pair, magic: 0x68ff65f3, rootCount: 2 }],
    ['absent cells', 'absent', { cells: pair, absent: 1 }],
    ['a root outside', 'root', { cells: pair, roots: [2] }],
    ['a total that is one more', 'truncated', { cells: pair, total: 8 }],
    ['a total that is one less', 'trailing', { cells: pair, total: 6 }],
    [
      'an index entry that is off by one',
      'index',
      { cells: pair, index: true, changeIndex: (e, i) => e + i },
    ],
    ['an index without its cache bits', 'index', { cells: pair, index: true, flags: 0xa1 }],
  ];
  it.each(cases)('%s', (_, code, bag) => {
    expect(errorOf(makeBag(bag)).code).toBe(code);
  });

  it('names no width but 1 to 8 for offsets', () => {
    for (const size of [0, 9, 255]) {
      const bytes = makeBag({ cells: pair });
      bytes[5] = size;
      expect(errorOf(bytes)).toMatchObject({ code: 'size', offset: 5, found: size });
    }
  });

  it('refuses counts that the bytes cannot hold before it allocates for them', () => {
    for (const cellCount of [0xffffffff, 0x7fffffff, 6]) {
      const bytes = makeBag({ cells: pair, refSize: 4, offsetSize: 8, cellCount });
      expect(errorOf(bytes)).toMatchObject({ code: 'count', offset: 6, found: cellCount });
    }
    const far = makeBag({ cells: pair, refSize: 4, offsetSize: 8, total: 2 ** 52, cellCount: 0xffffffff });
    expect(errorOf(far).code).toBe('truncated');
    expect(errorOf(makeBag({ cells: pair, refSize: 4, rootCount: 0x80000000 })).code).toBe('count');
  });

  it('refuses any other checksum', () => {
    for (const magic of [0xb5ee9c72, 0xacc3a728]) {
      const bytes = makeBag({ cells: pair, crc: true, magic });
      expect(parseBoc(bytes).cellCount).toBe(2);
      for (let at = 4; at >= 1; at--) {
        const bad = Uint8Array.from(bytes);
        bad[bad.length - at]! ^= 1;
        expect(errorOf(bad)).toMatchObject({ code: 'crc', offset: bytes.length - 4 });
      }
    }
  });

  it('refuses bytes after the end', () => {
    for (const crc of [false, true]) {
      const bytes = makeBag({ cells: pair, crc });
      expect(errorOf(Uint8Array.of(...bytes, 0))).toMatchObject({ code: 'trailing', offset: bytes.length });
    }
  });
});

describe('broken cells', () => {
  const cases: [string, BocErrorCode, number, MadeCell[]][] = [
    ['five references', 'descriptor', 0, [{ data: [1], refs: [1, 1, 1, 1, 1] }, leaf]],
    ['seven references (an absent cell)', 'descriptor', 0, [{ data: [1], d1: 0x17 }, leaf]],
    ['data beyond the end', 'truncated', 1, [{ refs: [1] }, { data: [1], d2: 4 }]],
    ['stored hashes beyond the end', 'truncated', 1, [{ refs: [1] }, { data: [1], d1: 16 }]],
    ['references beyond the end', 'truncated', 1, [{ refs: [1] }, { data: [], d1: 1 }]],
    ['no completion tag', 'tag', 1, [{ refs: [1] }, { data: [5, 0], d2: 3 }]],
    ['a completion tag that ends a whole byte', 'tag', 1, [{ refs: [1] }, { data: [5, 0x80], d2: 3 }]],
    ['a reference to itself', 'reference', 0, [{ data: [1], refs: [0] }, leaf]],
    ['a reference backwards (a cycle)', 'reference', 1, [{ refs: [1] }, { refs: [0] }]],
    ['a reference outside', 'reference', 0, [{ refs: [2] }, leaf]],
    ['a level that no child gives', 'level', 1, [{ refs: [1] }, { data: [1], mask: 1 }]],
    ['a level left out', 'level', 0, [{ refs: [1] }, { data: [1, 1, ...zeros(34)], exotic: true, mask: 1 }]],
  ];
  it.each(cases)('%s', (_, code, cell, cells) => {
    expect(errorOf(makeBag({ cells }))).toMatchObject({ code, cell });
  });

  it('refuses a chain of 2000 cells', () => {
    const cells = Array.from({ length: 2000 }, (_, i) => ({ refs: i < 1999 ? [i + 1] : [] }));
    expect(errorOf(makeBag({ cells, refSize: 2 })).code).toBe('depth');
  });
});

describe('broken exotic cells', () => {
  const exotic = (data: number[], more: Partial<MadeCell> = {}): MadeCell => ({
    data,
    exotic: true,
    ...more,
  });
  const child = (n: number): MadeCell[] => Array(n).fill(leaf);
  const cases: [string, MadeCell[]][] = [
    ['no data', [exotic([])]],
    ['less than a type byte', [exotic([0x41], { d2: 1 })]],
    ['type 0', [exotic([0, ...zeros(33)])]],
    ['type 5', [exotic([5, ...zeros(33)])]],
    ['type 255', [exotic([255, ...zeros(33)])]],
    ['pruned branch of one byte', [exotic([1])]],
    ['pruned branch with mask 0', [exotic([1, 0, ...zeros(34)])]],
    ['pruned branch with mask 8', [exotic([1, 8, ...zeros(34)], { mask: 0 })]],
    ['pruned branch that is short', [exotic([1, 1, ...zeros(33)], { mask: 1 })]],
    ['pruned branch that is long', [exotic([1, 1, ...zeros(35)], { mask: 1 })]],
    ['pruned branch of two levels with one hash', [exotic([1, 3, ...zeros(34)], { mask: 3 })]],
    ['pruned branch with a reference', [exotic([1, 1, ...zeros(34)], { mask: 1, refs: [1] }), leaf]],
    ['library that is short', [exotic([2, ...zeros(31)])]],
    ['library with a reference', [exotic([2, ...zeros(32)], { refs: [1] }), leaf]],
    ['Merkle proof without a reference', [exotic([3, ...zeros(34)])]],
    ['Merkle proof with two references', [exotic([3, ...zeros(34)], { refs: [1, 2] }), ...child(2)]],
    ['Merkle proof without a depth', [exotic([3, ...zeros(32)], { refs: [1] }), leaf]],
    ['Merkle update with one reference', [exotic([4, ...zeros(68)], { refs: [1] }), leaf]],
    ['Merkle update with one hash', [exotic([4, ...zeros(34)], { refs: [1, 2] }), ...child(2)]],
  ];
  it.each(cases)('%s', (_, cells) => {
    expect(errorOf(makeBag({ cells }))).toMatchObject({ code: 'exotic', cell: 0 });
  });

  it('refuses a depth above the limit that a pruned branch brings in', () => {
    const branch = (depth: number) => exotic([1, 1, ...zeros(32), depth >> 8, depth & 255], { mask: 1 });
    const hashes = (depth: number) => {
      const boc = parseBoc(makeBag({ cells: [{ refs: [1], mask: 1 }, branch(depth)] }));
      return new CellHashes(boc);
    };
    expect(hashes(1023).depth(0, 0)).toBe(1024);
    expect(() => hashes(1024).hash(0)).toThrow(
      expect.objectContaining({ name: 'BocError', code: 'depth', cell: 0 }),
    );
    expect(() => hashes(65535).computeAll()).toThrow(
      expect.objectContaining({ code: 'depth', found: 65536 }),
    );
  });
});

describe('a bag cut short', () => {
  it('is refused at every length, with and without index and checksum', () => {
    const cell = beginCell().storeUint(5, 9).storeRef(beginCell().storeUint(3, 40).endCell()).endCell();
    for (const [idx, crc32] of [
      [false, false],
      [true, false],
      [true, true],
    ] as const) {
      const bytes = cell.toBoc({ idx, crc32 });
      for (let length = 0; length < bytes.length; length++) {
        expect(errorOf(bytes.subarray(0, length)).offset).toBeLessThanOrEqual(length);
      }
    }
  });
});

describeWithData('a real block cut short', (data) => {
  const block = recorded(data, 'blocks/mainnet-single/0_0d83800000000000_4168601.boc');

  it('is refused at every length', () => {
    expect(parseBoc(block).cellCount).toBeGreaterThan(1);
    for (let length = 0; length < block.length; length++) errorOf(block.subarray(0, length));
  });

  it('is refused at every length even where the checksum is made right', () => {
    for (let length = 8; length < block.length; length++) errorOf(withCrc(block.subarray(0, length)));
  });
});

describeWithData('bags that another program wrote', (data) => {
  it('are refused where the root kept the level of the proof that it was cut from, as the network does', () => {
    const file = 'accounts/6f10ffef798a67ab3a07b48b431a41244407426ef3de3200f6f1f5cff85c5770.boc';
    expect(errorOf(recorded(data, file))).toMatchObject({ code: 'level', cell: 0, expected: 0, found: 1 });
  });
});
