import { expect, it } from 'vitest';
import { BAG_PACKING } from '../../../../src/ton/boc/split-bag.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { blockFiles } from './block-files.ts';
import { type MadeBag, makeBag } from './make-bag.ts';

const { split, join } = BAG_PACKING;
const PREFIX = Uint8Array.from({ length: 117 }, (_, i) => i);
const TREE = [
  { data: [1, 2, 3], refs: [1, 2, 3] },
  { data: [4], refs: [3] },
  { data: [5, 6], refs: [4, 3] },
  { data: [7, 8, 9] },
  { data: [] },
];
const value = (bag: Uint8Array, prefix = PREFIX) => new Uint8Array(Buffer.concat([prefix, bag]));

it.each<[string, Omit<MadeBag, 'cells'>]>([
  ['no index', {}],
  ['an index', { index: true }],
  ['an index and a checksum', { index: true, crc: true }],
  [
    'usual cache bits',
    { index: true, cacheBits: true, changeIndex: (entry, cell) => entry | (cell === 3 ? 1 : 0) },
  ],
  [
    'unusual cache bits',
    { index: true, cacheBits: true, changeIndex: (entry, cell) => entry | (cell === 1 ? 1 : 0) },
  ],
  ['wide references', { index: true, refSize: 3, offsetSize: 5 }],
])('a bag of cells with %s is the same after it was split', (_, form) => {
  const whole = value(makeBag({ cells: TREE, ...form }));
  const parts = split(whole);
  expect(parts).toHaveLength(7);
  expect(join(parts as readonly Uint8Array[])).toEqual(whole);
});

it.each<[string, Uint8Array]>([
  ['nothing', new Uint8Array(0)],
  ['no bag', PREFIX],
  ['a bag that is cut', value(makeBag({ cells: TREE })).subarray(0, -1)],
  ['bytes after the bag', new Uint8Array([...value(makeBag({ cells: TREE })), 0])],
  ['a bag far behind', value(makeBag({ cells: TREE }), new Uint8Array(600))],
])('%s is not split', (_, whole) => {
  expect(split(whole)).toBeNull();
});

describeWithData('blocks', (data) => {
  it('are the same after they were split', { timeout: 120_000 }, () => {
    let count = 0;
    for (const { name, bytes } of blockFiles(data)) {
      const whole = value(bytes);
      const parts = split(whole);
      expect(parts, name).not.toBeNull();
      expect(Buffer.compare(join(parts as readonly Uint8Array[]), whole), name).toBe(0);
      count++;
    }
    expect(count).toBeGreaterThan(300);
  });
});
