import { beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellError } from '../../../../src/ton/boc/cell-error.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import { findLeaf } from '../../../../src/ton/boc/find-leaf.ts';

const KEY_BITS = 64;

/** Keys that make labels of all three forms: runs of one bit, long random parts, near neighbours. */
const KEYS = [
  0n,
  1n,
  2n,
  3n,
  2n ** 63n,
  2n ** 64n - 1n,
  0x0123456789abcdefn,
  0x0123456789abcdeen,
  0x0123456700000000n,
];

/** The slice starts at the root edge, after another field, as in an AccountBlock. */
function rootOf(keys: readonly bigint[]): CellSlice {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(KEY_BITS), Dictionary.Values.BigUint(64));
  for (const key of keys) dictionary.set(key, key ^ 0xffn);
  const bag = beginCell().storeUint(5, 4).storeDictDirect(dictionary).endCell().toBoc();
  const boc = parseBoc(bag);
  const slice = new CellSlice(boc, onlyRoot(boc));
  slice.skipBits(4);
  return slice;
}

function keyOf(key: bigint) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, key);
  return { bytes, bits: KEY_BITS };
}

describe('findLeaf', () => {
  it('finds each key and no other', () => {
    for (let size = 1; size <= KEYS.length; size++) {
      const keys = KEYS.slice(0, size);
      for (const key of KEYS) {
        const leaf = findLeaf(rootOf(keys), keyOf(key));
        expect(leaf?.u64() ?? null).toBe(keys.includes(key) ? key ^ 0xffn : null);
      }
    }
  });

  it('refuses a label longer than the key', () => {
    const bag = beginCell().storeUint(0b10, 2).storeUint(127, 7).storeUint(0, 127).endCell().toBoc();
    const boc = parseBoc(bag);
    expect(() => findLeaf(new CellSlice(boc, 0), keyOf(0n))).toThrow(CellError);
  });
});
