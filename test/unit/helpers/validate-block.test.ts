import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/ton/cell/cell.ts';
import { Cell as BuiltCell } from '../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { BlockError } from '../../../src/ton/decode/block-error.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';
import { describeWithChain, describeWithData } from '../../helpers/shared-data.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { blockFiles, recorded } from '../ton/boc/block-files.ts';

/** The rules that a block breaks; `BlockError` for one that cannot be read. */
function broken(bytes: Uint8Array): string[] {
  try {
    return validateBlock(bytes).violations.map(({ rule }) => rule);
  } catch (error) {
    if (error instanceof BlockError) return [`BlockError ${error.code}`];
    throw error;
  }
}

/** The tree with the cell at a path of references replaced; nothing above it is corrected. */
function replaceAt(root: Cell, path: readonly number[], change: (cell: Cell) => Cell): Cell {
  const [first, ...rest] = path;
  if (first === undefined) return change(root);
  const refs = root.refs.map((ref, i) => (i === first ? replaceAt(ref, rest, change) : ref));
  return new BuiltCell(root.bitLength, root.data, refs, root.type);
}

/** One bit turned over. */
const turned = (at: number) => (cell: Cell) => {
  const data = cell.data.slice();
  data[at >> 3]! ^= 0x80 >> (at & 7);
  return new BuiltCell(cell.bitLength, data, cell.refs, cell.type);
};

describeWithChain('validator', ({ data, isMainnet, ...counted }) => {
  it('finds nothing wrong in any block', () => {
    let [blocks, checks] = [0, 0];
    for (const { name, bytes } of blockFiles(data)) {
      // Another chain of the family, and an emulator's imitation of blocks: see below.
      if (/^(everscale|private-localnet)\//.test(name)) continue;
      const verdict = validateBlock(bytes);
      expect([name, verdict.violations]).toEqual([name, []]);
      checks += verdict.checks;
      blocks++;
    }
    expect(blocks).toBe(isMainnet ? 712 : counted.blocks);
    expect(checks).toBeGreaterThan(isMainnet ? 200_000 : 20_000);
  });
});

describeWithData('validator on real blocks', (data) => {
  it('refuses the imitated blocks of a local emulator', () => {
    const names = [...blockFiles(data)].filter(({ name }) => name.startsWith('private-localnet/'));
    expect(names.map(({ bytes }) => broken(bytes)[0])).toEqual([
      'shard end_lt',
      'BlockError cell',
      'BlockError cell',
      'BlockError cell',
    ]);
  });

  const shard = readCell(recorded(data, 'blocks/mainnet-single/0_a000000000000000_54302203.boc'));
  const master = readCell(recorded(data, 'blocks/mainnet-single/-1_8000000000000000_47129122.boc'));

  it('takes the same block in another bag', () => {
    expect([broken(writeBag(shard)), broken(writeBag(master))]).toEqual([[], []]);
  });

  it.each([
    ['seq_no of the header', shard, [0], 32 + 32 + 8 + 8 + 31, /BlockError header/],
    ['gen_utime', shard, [0], 32 + 32 + 16 + 64 + 104 + 31, /transaction time|state gen_utime/],
    ['start_lt', shard, [0], 32 + 32 + 16 + 64 + 104 + 32 + 20, /transaction lt/],
    ['from_prev_blk', shard, [1, 0], 30, /value flow/],
    ['fees_collected', shard, [1], 32 + 4 + 10, /value flow/],
    ['old hash of the update', shard, [2], 8 + 100, /BlockError merkle/],
    ['sum of InMsgDescr', shard, [3, 0], 12, /InMsgDescr extra/],
    ['sum of OutMsgDescr', shard, [3, 1], 12, /OutMsgDescr extra|BlockError cell/],
    ['sum of account blocks', shard, [3, 2], 12, /ShardAccountBlocks extra|BlockError cell/],
    ['key_block', master, [0], 32 + 32 + 6, /key_block/],
  ])('sees a change of %s', (_what, root, path, bit, rule) => {
    expect(broken(writeBag(replaceAt(root, path, turned(bit)))).join()).toMatch(rule);
  });

  it('sees a number with a leading zero byte', () => {
    // from_prev_blk, one byte longer than it need be; the value flow still adds up.
    const padded = replaceAt(shard, [1, 0], (cell) => {
      const length = cell.data[0]! >> 4;
      const builder = new CellBuilder().uint(length + 1, 4).uint(0, 8);
      builder.bits(cell.data, 4, cell.bitLength - 4);
      for (const ref of cell.refs) builder.ref(ref);
      return builder.cell();
    });
    expect(broken(writeBag(padded))).toEqual(['BlockError cell']);
  });

  it('detects a flipped bit in everything that other data depends on', () => {
    const random = new SeededRandom(7);
    let seen = 0;
    const rounds = 300;
    for (let round = 0; round < rounds; round++) {
      // Down into value flow, update or dictionaries, to a random cell.
      const path: number[] = [1 + random.below(3)];
      let cell = shard.refs[path[0]!]!;
      while (cell.refs.length > 0 && random.below(6) > 0) {
        path.push(random.below(cell.refs.length));
        cell = cell.refs[path.at(-1)!]!;
      }
      if (cell.bitLength === 0 || cell.type !== 0) continue;
      const bag = writeBag(replaceAt(shard, path, turned(random.below(cell.bitLength))));
      // Only the seed and the creator in BlockExtra itself, envelopes and records of dequeued messages are said once.
      if (broken(bag).length > 0) seen++;
      else expect([[3], [3, 0], [3, 1]]).toContainEqual(path.slice(0, 2));
    }
    expect(seen).toBeGreaterThan(rounds / 2);
  });
});

describe('validator', () => {
  it('names what is no block', () => {
    expect(broken(writeBag(new CellBuilder().uint(5, 32).cell()))).toEqual(['BlockError cell']);
    expect(broken(new Uint8Array(10))).toEqual(['BlockError boc']);
  });
});
