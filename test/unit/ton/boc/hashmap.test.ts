import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { forEachLeaf, type LeafOptions, walkLeaves } from '../../../../src/ton/boc/hashmap.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { pruned, seeded } from './made-cells.ts';

const error = (facts: object) => expect.objectContaining({ name: 'CellError', ...facts });
const bits = (text: string) => {
  const builder = beginCell();
  for (const bit of text) builder.storeBit(bit === '1');
  return builder;
};

function leaves(root: Cell, keyBits: number, options?: Omit<LeafOptions, 'keyBits'>): [string, bigint][] {
  const found: [string, bigint][] = [];
  const visit = (key: Uint8Array, value: { bitsLeft: number; bigUint(n: number): bigint }) => {
    found.push([toHex(key), value.bigUint(value.bitsLeft)]);
  };
  walkLeaves(parseBoc(root.toBoc()), 0, { keyBits, ...options }, visit);
  return found;
}

/** A dictionary of @ton/core as its root edge. */
function edgeOf(dictionary: Dictionary<bigint, number>): Cell {
  return beginCell().storeDictDirect(dictionary).endCell();
}

describe('leaves', () => {
  it.each([1, 5, 8, 16, 32, 64, 256])(
    'of a dictionary with keys of %i bits come in the order of their keys',
    (width) => {
      const random = seeded(width);
      for (let round = 0; round < 25; round++) {
        const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(width), Dictionary.Values.Uint(32));
        for (let n = 1 + random(60); n > 0; n--) {
          // Small, large and anywhere: long same-bit labels, short and long ones.
          let key = 0n;
          for (let i = 0; i < width; i += 8) key = (key << 8n) | BigInt(random(256));
          const small = BigInt(random(16));
          const all = 2n ** BigInt(width) - 1n;
          dictionary.set([key & all, small & all, all - (small & all)][random(3)]!, random(1 << 30));
        }
        const padding = BigInt(-width & 7);
        const expected = [...dictionary]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, value]) => [
            (key << padding).toString(16).padStart(((width + 7) >> 3) * 2, '0'),
            BigInt(value),
          ]);
        expect(leaves(edgeOf(dictionary), width, { forkExtra: 'refuse' })).toEqual(expected);
      }
    },
  );

  it('of a HashmapAug stand at the extra; what forks hold is ignored unless refused', () => {
    // Labels: the root has none (00), each leaf one bit by its branch and one 0 bit: hml_short of length 1.
    const leaf = (value: number) =>
      bits('0100')
        .storeUint(0xe0 + value, 8)
        .storeUint(value, 8)
        .endCell();
    const root = bits('00').storeRef(leaf(1)).storeRef(leaf(2)).storeUint(0xe3, 8).endCell();
    expect(leaves(root, 2)).toEqual([
      ['00', 0xe101n],
      ['80', 0xe202n],
    ]);
    expect(() => leaves(root, 2, { forkExtra: 'refuse' })).toThrow(error({ code: 'leftover' }));
  });

  it('may be one, of a key that is all label', () => {
    expect(
      leaves(
        bits('10' + '1000' + '10110011')
          .storeUint(9, 8)
          .endCell(),
        8,
      ),
    ).toEqual([['b3', 9n]]);
    expect(
      leaves(
        bits('11' + '1' + '1000')
          .storeUint(9, 8)
          .endCell(),
        8,
      ),
    ).toEqual([['ff', 9n]]);
    expect(
      leaves(
        bits('0' + '10' + '1')
          .storeUint(9, 8)
          .endCell(),
        1,
      ),
    ).toEqual([['80', 9n]]);
  });

  it('can be walked from within a visit', () => {
    const inner = Dictionary.empty(Dictionary.Keys.BigUint(8), Dictionary.Values.Uint(8))
      .set(3n, 30)
      .set(4n, 40);
    const outer = bits('00').storeRef(bits('00').storeRef(edgeOf(inner)).endCell());
    const root = outer.storeRef(bits('00').storeRef(edgeOf(inner)).endCell()).endCell();
    const boc = parseBoc(root.toBoc());
    const seen: string[] = [];
    forEachLeaf(boc, 0, 1, (key, value) => {
      forEachLeaf(boc, value.ref(), 8, (innerKey, v) =>
        seen.push(`${toHex(key)} ${toHex(innerKey)} ${v.uint(8)}`),
      );
    });
    expect(seen).toEqual(['00 03 30', '00 04 40', '80 03 30', '80 04 40']);
  });
});

describe('pruned edges', () => {
  const leaf = (value: number) => bits('00').storeUint(value, 8).endCell();
  const root = bits('00')
    .storeRef(pruned(leaf(1)))
    .storeRef(leaf(2))
    .endCell();

  it('are an error by default and passed over on demand', () => {
    expect(() => leaves(root, 1)).toThrow(error({ code: 'exotic' }));
    expect(leaves(root, 1, { skipPruned: true })).toEqual([['80', 2n]]);
    expect(leaves(pruned(root), 1, { skipPruned: true })).toEqual([]);
  });

  it('are the only exotic cells that are passed over', () => {
    const exotic = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
    const other = bits('00').storeRef(exotic).storeRef(leaf(2)).endCell();
    expect(() => leaves(other, 1, { skipPruned: true })).toThrow(error({ code: 'exotic' }));
  });
});

describe('what is not a hashmap', () => {
  const cases: [string, string, Cell, number][] = [
    ['an empty cell', 'underflow', bits('').endCell(), 8],
    ['a short label longer than the key', 'value', bits('0' + '1110' + '111').endCell(), 2],
    ['a long label longer than the key', 'value', bits('10' + '110' + '111111').endCell(), 5],
    ['a same label longer than the key', 'value', bits('11' + '1' + '110').endCell(), 5],
    ['a unary length without an end', 'underflow', bits('0111').endCell(), 8],
    ['a fork without references', 'underflow', bits('00').endCell(), 8],
    ['a fork with one reference', 'underflow', bits('00').storeRef(bits('00').endCell()).endCell(), 1],
  ];
  it.each(cases)('%s', (_, code, root, width) => {
    expect(() => leaves(root, width)).toThrow(error({ code }));
  });

  it('a few cells that spell out 2^64 leaves are given up', () => {
    let edge = bits('00').storeUint(1, 8).endCell();
    for (let i = 0; i < 64; i++) edge = bits('00').storeRef(edge).storeRef(edge).endCell();
    expect(() => leaves(edge, 64, { maxEdges: 1000 })).toThrow(error({ code: 'value', what: 'Hashmap' }));
  });
});
