import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { legacyStack, typedStack } from '../../../../src/api/v2/format/stack.ts';
import { stackAnswer } from '../../../../src/api/v3/answers/stack-answer.ts';
import { readStackArguments } from '../../../../src/api/v3/parameters/stack.ts';
import { buildList, STACK_NULL, type StackValue } from '../../../../src/tvm/stack/stack-value.ts';

const cell = beginCell().storeUint(5, 3).storeRef(beginCell().endCell()).endCell();
const boc = new Uint8Array(cell.toBoc({ idx: false }));
const bytes = cell.toBoc({ idx: false }).toString('base64');
const object = {
  data: { b64: 'oA==', len: 3 },
  refs: [{ data: { b64: '', len: 0 }, refs: [], special: false }],
  special: false,
};
const int = (value: bigint): StackValue => ({ kind: 'int', value });
const number = (text: string) => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number: text },
});
const values: StackValue[] = [
  int(0n),
  int(-255n),
  { kind: 'cell', boc },
  { kind: 'slice', boc },
  STACK_NULL,
  buildList([int(1n), int(2n)]),
  { kind: 'tuple', items: [int(1n), { kind: 'slice', boc }] },
  { kind: 'continuation' },
];

describe('results of get methods', () => {
  it('are pairs in runGetMethod', () => {
    expect(legacyStack(values)).toEqual([
      ['num', '0x0'],
      ['num', '-0xff'],
      ['cell', { bytes, object }],
      ['cell', { bytes, object }],
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['list', { '@type': 'tvm.list', elements: [number('1'), number('2')] }],
      [
        'tuple',
        {
          '@type': 'tvm.tuple',
          elements: [number('1'), { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }],
        },
      ],
      ['unsupported', ''],
    ]);
  });

  it('are typed in runGetMethodStd', () => {
    expect(typedStack(values).map((entry) => entry['@type'])).toEqual([
      'tvm.stackEntryNumber',
      'tvm.stackEntryNumber',
      'tvm.stackEntryCell',
      'tvm.stackEntrySlice',
      'tvm.stackEntryList',
      'tvm.stackEntryList',
      'tvm.stackEntryTuple',
      'tvm.stackEntryUnsupported',
    ]);
    expect(typedStack([int(-255n)])).toEqual([number('-255')]);
  });

  it('are type and value in v3, which reads numbers, cells and slices back', () => {
    const answer = stackAnswer(values);
    expect(answer).toEqual([
      { type: 'num', value: '0x0' },
      { type: 'num', value: '-0xff' },
      { type: 'cell', value: bytes },
      { type: 'slice', value: bytes },
      { type: 'list', value: [] },
      {
        type: 'list',
        value: [
          { type: 'num', value: '0x1' },
          { type: 'num', value: '0x2' },
        ],
      },
      {
        type: 'tuple',
        value: [
          { type: 'num', value: '0x1' },
          { type: 'slice', value: bytes },
        ],
      },
      { type: 'unsupported', value: '' },
    ]);
    expect(readStackArguments(answer.slice(0, 4))).toEqual(values.slice(0, 4));
    expect(() => readStackArguments([{ type: 'tuple', value: [] }])).toThrow(
      'unsupported stack parameter type: tuple',
    );
    expect(() => readStackArguments([{ type: 'num', value: 5 }])).toThrow('failed to decode');
  });

  it('do not spell out a tree without end', () => {
    let wide = beginCell().storeUint(1, 8).endCell();
    for (let depth = 0; depth < 40; depth++) wide = beginCell().storeRef(wide).storeRef(wide).endCell();
    const wideBoc = new Uint8Array(wide.toBoc({ idx: false }));
    const [[, entry]] = legacyStack([{ kind: 'cell', boc: wideBoc }]) as [[string, object]];
    expect(Object.keys(entry)).toEqual(['bytes']);
  });

  it('make the text and the tree of a cell once, and leave trees out beyond 2 MB', () => {
    let long = beginCell().endCell();
    for (let at = 0; at < 900; at++) long = beginCell().storeUint(at, 900).storeRef(long).endCell();
    const value: StackValue = { kind: 'cell', boc: new Uint8Array(long.toBoc({ idx: false })) };
    const entries = legacyStack(Array.from({ length: 100 }, () => value)) as [string, { object?: object }][];
    const trees = entries.flatMap(([, { object: tree }]) => tree ?? []);
    expect(trees.length).toBeGreaterThan(5);
    expect(trees.length).toBeLessThan(15);
    expect(new Set(trees).size).toBe(1);
  });

  it('end at a depth', () => {
    let deep: StackValue = int(1n);
    for (let depth = 0; depth < 300; depth++) deep = { kind: 'tuple', items: [deep] };
    const refused = { status: 533, message: 'Result stack depth >= 256' };
    for (const format of [legacyStack, typedStack])
      expect(() => format([deep])).toThrow(expect.objectContaining(refused));
  });
});
