import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { loadLibraries } from '../../../../src/ton/tlb/account/lib-descr.ts';
import { forEachInlineLeaf } from '../../../../src/ton/tlb/inline-hashmap.ts';
import { hexBytes, made, sliceOf } from './cells.ts';

/** A dictionary with an inline root edge between other fields. */
function between(keys: readonly bigint[], keyBits: number): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(keyBits), Dictionary.Values.Uint(16));
  for (const [index, key] of keys.entries()) dictionary.set(key, index);
  const builder = beginCell().storeUint(0x5a, 8);
  dictionary.storeDirect(builder);
  return builder.storeUint(0xa5, 8).endCell();
}

const KEYS: Record<string, readonly [number, readonly bigint[]]> = {
  'one key': [64, [5n]],
  'two keys that differ in the first bit': [64, [1n, (1n << 63n) | 1n]],
  'two keys that differ in the last bit': [64, [4n, 5n]],
  'keys of a common prefix': [64, [0xabc0n, 0xabc1n, 0xabcfn, 0xab00n]],
  'keys of ones': [33, [(1n << 33n) - 1n, (1n << 33n) - 2n, 1n << 32n]],
  'keys of one bit': [1, [0n, 1n]],
  'all keys of four bits': [4, Array.from({ length: 16 }, (_, key) => BigInt(key))],
};

describe('forEachInlineLeaf', () => {
  it.each(Object.entries(KEYS))('%s', (_what, [keyBits, keys]) => {
    const slice = sliceOf(between(keys, keyBits));
    expect(slice.uint(8)).toBe(0x5a);
    const found: [bigint, number][] = [];
    const isFork = forEachInlineLeaf(slice, keyBits, (key, value) => {
      const padding = BigInt(key.length * 8 - keyBits);
      found.push([BigInt(`0x${key.toHex()}`) >> padding, value.uint(16)]);
      if (value !== slice) value.end('leaf');
    });
    expect(isFork).toBe(keys.length > 1);
    expect(slice.uint(8)).toBe(0xa5);
    slice.end('all');
    const expected = keys.map((key, index): [bigint, number] => [key, index]);
    expect(found).toEqual(expected.sort(([a], [b]) => (a < b ? -1 : 1)));
  });

  it.each([
    ['hml_short longer than the key', (b: Builder) => b.storeUint(0b0_111110, 7)],
    ['hml_long longer than the key', (b: Builder) => b.storeUint(0b10_111, 5)],
    ['hml_same longer than the key', (b: Builder) => b.storeUint(0b111_111, 6)],
  ])('refuses %s', (_what, write) => {
    const visit = () => expect.unreachable();
    expect(() => forEachInlineLeaf(made(write), 4, visit)).toThrow(
      expect.objectContaining({ name: 'CellError', code: 'value' }),
    );
  });
});

describe('LibDescr', () => {
  it('gives a library with its publishers', () => {
    const lib = beginCell().storeUint(7, 8).endCell();
    const publishers = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (_value: true, builder: Builder) => builder,
      parse: () => true as const,
    });
    const addresses = [hexBytes(0x11), hexBytes(0x12), hexBytes(0xf0)];
    for (const address of addresses) publishers.set(BigInt(`0x${address}`), true);
    const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (_value: true, builder: Builder) => {
        builder.storeUint(0, 2).storeRef(lib);
        publishers.storeDirect(builder);
      },
      parse: () => true as const,
    });
    libraries.set(BigInt(`0x${lib.hash().toString('hex')}`), true);
    const root = made((builder) => libraries.storeDirect(builder));
    const [found, ...others] = loadLibraries(root.boc, root.cell);
    expect(others).toEqual([]);
    expect(found?.hash).toEqual(new Uint8Array(lib.hash()));
    expect(found?.descr.publishers.map((address) => address.toHex())).toEqual(addresses);
  });
});
