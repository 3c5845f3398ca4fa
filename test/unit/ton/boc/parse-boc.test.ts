import { beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { LIBRARY, MERKLE_PROOF, ORDINARY, onlyRoot, PRUNED, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { isComplete } from '../../../../src/ton/boc/serialize.ts';
import { library, merkleProof, pruned, randomCell } from './made-cells.ts';
import { type MadeBag, makeBag } from './make-bag.ts';

const cells = [
  { data: [0xaa, 0xbb], refs: [1, 2, 2] },
  { data: [0xc0], d2: 1, refs: [2] },
  { data: Array.from({ length: 128 }, (_, i) => (i < 127 ? i : 0x03)), d2: 255 },
];

describe('the three forms of a bag of cells', () => {
  const forms: [string, Partial<MadeBag>][] = [
    ['generic, bare', {}],
    ['generic, CRC32C', { crc: true }],
    ['generic, index', { index: true }],
    ['generic, index and CRC32C', { index: true, crc: true }],
    ['generic, cache bits', { index: true, crc: true, cacheBits: true }],
    ['idx', { magic: 0x68ff65f3 }],
    ['idx + CRC32C', { magic: 0xacc3a728 }],
    ['cell indexes of 4 bytes', { refSize: 4, offsetSize: 8, index: true }],
    ['cell indexes of 3 bytes', { refSize: 3, offsetSize: 5 }],
  ];
  it.each(forms)('%s', (_, form) => {
    const bytes = makeBag({ cells, ...form });
    const boc = parseBoc(bytes);
    expect(boc.cellCount).toBe(3);
    expect(boc.roots).toEqual([0]);
    expect([...boc.bitLength]).toEqual([16, 1, 1023]);
    expect([...boc.refCount]).toEqual([3, 1, 0]);
    expect([...boc.refs.subarray(0, 3), boc.refs[4]]).toEqual([1, 2, 2, 2]);
    expect([...boc.type, ...boc.levelMask]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(bytes[boc.dataStart[0]!]).toBe(0xaa);
    expect(bytes[boc.dataStart[2]! + 126]).toBe(126);
  });

  it('reads what @ton/core writes, with and without index and checksum', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const cell = randomCell(seed, 20 * seed);
      for (const options of [
        { idx: false, crc32: false },
        { idx: true, crc32: false },
        { idx: false, crc32: true },
        { idx: true, crc32: true },
      ]) {
        const bytes = cell.toBoc(options);
        const boc = parseBoc(bytes);
        expect(Cell.fromBoc(bytes)[0]!.refs.length).toBe(boc.refCount[onlyRoot(boc)]);
        expect(boc.bitLength[0]).toBe(cell.bits.length);
      }
    }
  });

  it('takes several roots, in the order of the file and one of them twice', () => {
    const boc = parseBoc(makeBag({ cells, roots: [2, 0, 2] }));
    expect(boc.roots).toEqual([2, 0, 2]);
    expect(() => onlyRoot(boc)).toThrow(expect.objectContaining({ code: 'root', found: 3 }));
  });

  it('skips stored hashes, one pair for each significant level and one more', () => {
    const one = parseBoc(makeBag({ cells: [{ data: [1], stored: Array(34).fill(0xee) }] }));
    expect([one.bitLength[0], one.bytes[one.dataStart[0]!]]).toEqual([8, 1]);
    const branch = {
      data: [1, 5, ...Array(68).fill(9)],
      exotic: true,
      mask: 5,
      stored: Array(3 * 34).fill(0xee),
    };
    const two = parseBoc(makeBag({ cells: [{ refs: [1], mask: 5 }, branch] }));
    expect([two.type[1], two.levelMask[0], two.bitLength[1]]).toEqual([PRUNED, 5, 560]);
  });

  it('knows exotic cells, their levels, and which trees are whole', () => {
    const hidden = beginCell().storeUint(7, 32).endCell();
    const proof = merkleProof(beginCell().storeRef(pruned(hidden)).storeRef(hidden).endCell());
    const root = beginCell().storeRef(proof).storeRef(library(hidden.hash())).endCell();
    const boc = parseBoc(root.toBoc());
    const byType = new Map([...boc.type].map((type, cell) => [type, cell]));
    expect([...boc.type].sort()).toEqual([ORDINARY, ORDINARY, ORDINARY, PRUNED, LIBRARY, MERKLE_PROOF]);
    expect(boc.levelMask[byType.get(PRUNED)!]).toBe(1);
    expect(boc.levelMask[byType.get(MERKLE_PROOF)!]).toBe(0);
    // The pruned branch is below a Merkle proof: the root has level 0 and yet is not all there.
    expect(boc.levelMask[0]).toBe(0);
    expect(isComplete(boc, 0)).toBe(false);
    expect(isComplete(boc, byType.get(PRUNED)!)).toBe(false);
    expect(isComplete(boc, byType.get(LIBRARY)!)).toBe(true);
  });

  it('takes a chain of exactly the permitted depth', () => {
    const chain = (depth: number) =>
      makeBag({
        refSize: 2,
        cells: Array.from({ length: depth + 1 }, (_, i) => ({ refs: i < depth ? [i + 1] : [] })),
      });
    expect(parseBoc(chain(1024)).cellCount).toBe(1025);
    expect(() => parseBoc(chain(1025))).toThrow(
      expect.objectContaining({ code: 'depth', cell: 0, found: 1025 }),
    );
    expect(() => parseBoc(chain(5), { maxDepth: 4 })).toThrow(expect.objectContaining({ code: 'depth' }));
    expect(() => parseBoc(chain(5), { maxCells: 5 })).toThrow(
      expect.objectContaining({ code: 'limit', found: 6 }),
    );
  });
});
