import { beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { forEachLeaf } from '../../../../src/ton/boc/hashmap.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { CellsOfBag } from '../../../../src/ton/cell/cells-of-bag.ts';
import { numberKey } from '../../../../src/ton/cell/key-bits.ts';
import { type Augmentation, NO_EXTRA, Trie, type TrieForm } from '../../../../src/ton/cell/trie.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { seeded } from '../boc/made-cells.ts';

const form = (keyBits: number): TrieForm<number, null> => ({
  keyBits,
  store: (builder, value) => builder.uint(value, 32),
  extra: NO_EXTRA,
});
const SUM: Augmentation<number, bigint> = {
  ofLeaf: BigInt,
  ofFork: (left, right) => left + right,
  ofEmpty: 0n,
  store: (builder, sum) => builder.coins(sum),
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A dictionary of @ton/core with the same entries. */
function core(keyBits: number, entries: ReadonlyMap<bigint, number>): string {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(keyBits), Dictionary.Values.Uint(32));
  for (const [key, value] of entries) dict.set(key, value);
  return beginCell().storeDict(dict).endCell().hash().toString('hex');
}

function ours<E>(trie: Trie<number, E>): string {
  const builder = new CellBuilder();
  trie.store(builder);
  return hex(builder.cell().hash());
}

describe('trie', () => {
  it.each([
    [8, 200],
    [13, 300],
    [32, 300],
    [64, 100],
    [256, 100],
    [352, 60],
  ])('of %d-bit keys is cell for cell that of @ton/core while %d entries come and go', (bits, rounds) => {
    const random = seeded(bits);
    // Few keys far apart, and runs close to each other: long, short and uniform labels.
    const pick = () =>
      random(2) === 0 ? BigInt(random(20)) : BigInt.asUintN(bits, BigInt(random(8)) << BigInt(random(bits)));
    const model = new Map<bigint, number>();
    let trie = Trie.empty(form(bits));
    for (let round = 0; round < rounds; round++) {
      const key = pick();
      if (random(3) === 0) {
        model.delete(key);
        trie = trie.delete(numberKey(key, bits));
      } else {
        model.set(key, round);
        trie = trie.set(numberKey(key, bits), round);
      }
      expect(trie.size).toBe(model.size);
      if (round % 7 === 0 || round === rounds - 1) expect(ours(trie)).toBe(core(bits, model));
    }
    for (const [key, value] of model) expect(trie.get(numberKey(key, bits))).toBe(value);
    expect(trie.get(numberKey(-1, bits))).toBe(undefined);
  });

  it('gives its entries in the order of the keys', () => {
    let trie = Trie.empty(form(16));
    for (const key of [700, 3, 65535, 256, 4, 0]) trie = trie.set(numberKey(key, 16), key);
    expect([...trie.entries()].map(([, value]) => value)).toEqual([0, 3, 4, 256, 700, 65535]);
  });

  it('leaves what it was made from as it was, and shares its cells', () => {
    let before = Trie.empty(form(16));
    for (let key = 0; key < 64; key++) before = before.set(numberKey(key * 1000, 16), key);
    const root = before.root()!;
    const after = before.set(numberKey(5000, 16), 99).delete(numberKey(6000, 16));
    expect(after.root()!.key).not.toBe(root.key);
    expect([before.root(), before.get(numberKey(5000, 16)), before.size]).toEqual([root, 5, 64]);
    // The other half of the key space is the same object.
    expect(after.root()!.refs[1]).toBe(root.refs[1]);
  });

  it('sums up a HashmapAug at every fork', () => {
    const random = seeded(3);
    let trie = Trie.empty<number, bigint>({ ...form(32), extra: SUM });
    expect(trie.extra()).toBe(0n);
    let sum = 0n;
    for (let i = 0; i < 100; i++) {
      const key = numberKey(random(2 ** 30), 32);
      const value = random(1000);
      sum += BigInt(value) - BigInt(trie.get(key) ?? 0);
      trie = trie.set(key, value);
    }
    expect(trie.extra()).toBe(sum);
    const boc = parseBoc(writeBag(trie.root()!));
    let leaves = 0;
    forEachLeaf(boc, 0, 32, (key, value) => {
      expect(value.coins()).toBe(BigInt(trie.get(key)!));
      expect(value.uint(32)).toBe(trie.get(key));
      leaves++;
    });
    expect([leaves, new CellsOfBag(boc).cell(0).key]).toEqual([trie.size, trie.root()!.key]);
  });

  it.each([0, 1, 2, 5])('gives the part under a prefix of %d bits', (bits) => {
    const random = seeded(bits + 1);
    let trie = Trie.empty<number, bigint>({ ...form(32), extra: SUM });
    for (let i = 0; i < 60; i++) trie = trie.set(numberKey(random(2 ** 31) * 2, 32), i);
    for (let prefix = 0; prefix < 1 << bits; prefix++) {
      const part = trie.under(numberKey(BigInt(prefix) << BigInt(32 - bits), 32), bits);
      let expected = Trie.empty<number, bigint>({ ...form(32), extra: SUM });
      for (const [key, value] of trie.entries()) {
        if (Buffer.from(key).readUInt32BE() / 2 ** (32 - bits) >= prefix + 1) continue;
        if (Buffer.from(key).readUInt32BE() / 2 ** (32 - bits) < prefix) continue;
        expected = expected.set(key, value);
      }
      expect([part.size, part.extra(), ours(part)]).toEqual([
        expected.size,
        expected.extra(),
        ours(expected),
      ]);
    }
  });
});
