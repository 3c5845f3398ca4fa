import { createHash } from 'node:crypto';
import { beginCell, Cell } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { BaseColumns } from '../../../../src/ton/columns/base-columns.ts';
import { BlockError } from '../../../../src/ton/decode/block-error.ts';
import { readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { crc32c } from '../../../../src/ton/hash/crc32c.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { Kernel } from '../../../../src/ton/kernel/kernel.ts';
import { readBytes, sharedBlocks } from '../../../e2e/facts-blocks.ts';
import { SeededRandom } from '../../../helpers/seeded-random.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { BlockMaker } from './made-blocks.ts';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await Kernel.load();
});

function randomBytes(random: SeededRandom, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, () => random.below(256));
}

describe('CRC-32C', () => {
  it.each([
    ['', 0],
    ['123456789', 0xe3069283],
    ['a', 0xc1d04330],
  ])('%j', (text, expected) => {
    expect(kernel.crc32c(new TextEncoder().encode(text))).toBe(expected);
  });

  it('of any length, as the reader computes it', () => {
    const random = new SeededRandom(7);
    // From 6,688 bytes on, the message is folded to 3,344 first.
    const folded = Array.from({ length: 40 }, (_, i) => 6_680 + i);
    for (const size of [1, 7, 8, 63, 64, 511, 512, 1023, 1025, 4096, 5000, ...folded, 16_384, 100_003]) {
      const bytes = randomBytes(random, size);
      expect(kernel.crc32c(bytes), `${size} bytes`).toBe(crc32c(bytes));
    }
  });
});

/** A tree whose levels have cells of all lengths, so that every number of SHA blocks and lanes is met. */
function makeTree(random: SeededRandom, depth: number): Cell {
  const builder = beginCell();
  const bits = random.below(1024);
  for (let i = 0; i < bits; i++) builder.storeBit(random.below(2) === 1);
  const refs = depth === 0 ? 0 : random.below(5);
  for (let i = 0; i < refs; i++) builder.storeRef(makeTree(random, depth - 1));
  return builder.endCell();
}

describe('SHA-256 of cells', () => {
  it('of the empty cell: two zero bytes', () => {
    kernel.parse(Cell.EMPTY.toBoc());
    kernel.hashAll();
    expect(kernel.getHash(0).hash.toHex()).toBe(createHash('sha256').update(new Uint8Array(2)).digest('hex'));
  });

  it('of every length of data', () => {
    for (let bits = 0; bits <= 1023; bits++) {
      const builder = beginCell();
      for (let i = 0; i < bits; i++) builder.storeBit(i % 3 === 0);
      const cell = builder.endCell();
      kernel.parse(cell.toBoc());
      kernel.hashAll();
      expect(kernel.getHash(0).hash.toHex(), `${bits} bits`).toBe(cell.hash().toString('hex'));
    }
  });

  it('of random trees, as @ton/core hashes them', () => {
    const random = new SeededRandom(20260727);
    for (let i = 0; i < 40; i++) {
      const cell = makeTree(random, 4);
      const bag = kernel.parse(cell.toBoc());
      kernel.hashAll();
      expect(kernel.getHash(bag.root).hash.toHex(), `tree ${i}`).toBe(cell.hash().toString('hex'));
      expect(kernel.getHash(bag.root).depth).toBe(cell.depth());
    }
  });
});

describeWithData('hashes at all levels', (data) => {
  it('of every cell of a block with exotic cells, as the reader has them', () => {
    const block = sharedBlocks(data, 'mainnet-single').find(({ name }) => name.includes('54302203'));
    const bytes = readBytes(block?.path as string);
    const boc = parseBoc(bytes);
    const hashes = new CellHashes(boc);
    expect(kernel.parse(bytes)).toEqual({ cellCount: boc.cellCount, root: boc.roots[0] });
    kernel.hashAll();
    for (let cell = 0; cell < boc.cellCount; cell++) {
      for (const level of [0, 1, 2, 3]) {
        const found = kernel.getHash(cell, level);
        expect(found.hash.toHex(), `cell ${cell} at level ${level}`).toBe(hashes.hash(cell, level).toHex());
        expect(found.depth).toBe(hashes.depth(cell, level));
      }
    }
  });
});

describe('refusals', () => {
  const meta = {
    workchain: 0,
    shard: 1n << 63n,
    seqno: 1,
    rootHash: new Uint8Array(32),
    fileHash: new Uint8Array(32),
    mcSeqno: 1,
  };
  const options = { verify: 'none', oldStatesBelowLt: 0n } as const;
  const decode = (bytes: Uint8Array) => kernel.decodeBlock(bytes, meta, new BaseColumns(), options);

  it.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(0), 'boc'],
    ['another magic', new Uint8Array(100), 'boc'],
    ['a cut bag', Cell.EMPTY.toBoc().subarray(0, 10), 'boc'],
    ['a cell that is no block', beginCell().storeUint(1, 32).endCell().toBoc(), 'cell'],
    ['a cell too short for a tag', Cell.EMPTY.toBoc(), 'cell'],
    ['a block of another chain', beginCell().storeUint(0x11ef55bb, 32).endCell().toBoc(), 'foreign_chain'],
  ])('%s', (_name, bytes, code) => {
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ name: 'BlockError', code }));
  });

  it('says what, where, expected and found', () => {
    const bytes = beginCell().storeUint(1, 32).endCell().toBoc();
    expect(() => decode(bytes)).toThrow(
      /block \(0,8000000000000000,1\): cell: Block in cell 0 at bit 0: expected \d+ \(#11ef55aa\), found 1 \(#1\)/,
    );
  });

  it('tells hashes that differ in their last byte alone', () => {
    const { bytes, meta: made } = new BlockMaker(new SeededRandom(1)).makeBlock();
    const { rootHash, fileHash } = readBlockHeader(bytes);
    const announced = rootHash.slice();
    announced[31]! ^= 1;
    const wrong = { ...made, rootHash: announced, fileHash };
    const verify = { verify: 'root', oldStatesBelowLt: 0n } as const;
    expect(() => kernel.decodeBlock(bytes, wrong, new BaseColumns(), verify)).toThrow(
      `hash of the root cell: expected ${toHex(announced)}, found ${toHex(rootHash)}`,
    );
  });

  it('checks the hash of the file before anything else', () => {
    const columns = new BaseColumns();
    const verify = { verify: 'file', oldStatesBelowLt: 0n } as const;
    expect(() => kernel.decodeBlock(new Uint8Array(3), meta, columns, verify)).toThrow(BlockError);
    expect(() => kernel.decodeBlock(new Uint8Array(3), meta, columns, verify)).toThrow(
      expect.objectContaining({ code: 'file_hash' }),
    );
  });
});
