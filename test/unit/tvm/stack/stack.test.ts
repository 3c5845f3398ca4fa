import { beginCell, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readStack, StackTooLargeError } from '../../../../src/tvm/stack/read-stack.ts';
import { buildList, itemsOfList, type StackValue } from '../../../../src/tvm/stack/stack-value.ts';
import { MAX_STACK_DEPTH, StackValueError, writeStack } from '../../../../src/tvm/stack/write-stack.ts';

const cell = beginCell().storeUint(0xabc, 12).storeRef(beginCell().storeUint(1, 1).endCell()).endCell();
const boc = new Uint8Array(cell.toBoc({ idx: false }));
const int = (value: bigint): StackValue => ({ kind: 'int', value });

const values: StackValue[] = [
  { kind: 'null' },
  { kind: 'nan' },
  int(0n),
  int(-1n),
  int(2n ** 63n - 1n),
  int(-(2n ** 63n)),
  int(2n ** 63n),
  int(2n ** 256n - 1n),
  int(-(2n ** 256n)),
  { kind: 'cell', boc },
  { kind: 'slice', boc },
  { kind: 'builder', boc },
  { kind: 'tuple', items: [] },
  { kind: 'tuple', items: [int(1n)] },
  { kind: 'tuple', items: [int(1n), int(2n)] },
  {
    kind: 'tuple',
    items: [int(1n), { kind: 'null' }, { kind: 'tuple', items: [int(3n), int(4n), int(5n)] }],
  },
  { kind: 'tuple', items: Array.from({ length: 255 }, (_, at) => int(BigInt(at))) },
];

/** As @ton/core has the same values. */
function coreItem(value: StackValue): TupleItem {
  switch (value.kind) {
    case 'int':
      return { type: 'int', value: value.value };
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: value.kind, cell: Cell.fromBoc(Buffer.from(value.boc))[0]! };
    case 'tuple':
      return { type: 'tuple', items: value.items.map(coreItem) };
    default:
      return { type: value.kind as 'null' | 'nan' };
  }
}

/** Cells compared by their hash. */
function plain(item: TupleItem): unknown {
  if (item.type === 'tuple') return item.items.map(plain);
  return 'cell' in item ? [item.type, item.cell.hash().toString('hex')] : item;
}

describe('the stack of the TVM', () => {
  it('reads back what it writes', () => {
    expect(readStack(writeStack(values))).toEqual(values);
    expect(readStack(writeStack([]))).toEqual([]);
  });

  it('reads what the published library writes, and writes what it reads', () => {
    const items = values.map(coreItem);
    expect(readStack(new Uint8Array(serializeTuple(items).toBoc()))).toEqual(values);
    const read = parseTuple(Cell.fromBoc(Buffer.from(writeStack(values)))[0]!);
    expect(read.map(plain)).toEqual(items.map(plain));
  });

  it('cuts a slice out of its cell', () => {
    const stack = beginCell()
      .storeUint(1, 24)
      .storeRef(Cell.EMPTY)
      .storeUint(4, 8)
      .storeRef(cell)
      .storeUint(4, 10)
      .storeUint(8, 10)
      .storeUint(1, 3)
      .storeUint(1, 3)
      .endCell();
    const expected = beginCell().storeUint(0xb, 4).endCell();
    expect(readStack(new Uint8Array(stack.toBoc()))).toEqual([
      { kind: 'slice', boc: new Uint8Array(expected.toBoc({ idx: false })) },
    ]);
  });

  it('refuses what is no argument', () => {
    expect(() => writeStack([int(2n ** 256n)])).toThrow(StackValueError);
    expect(() => writeStack([{ kind: 'continuation' }])).toThrow(StackValueError);
    expect(() => writeStack([{ kind: 'tuple', items: Array(256).fill(int(0n)) }])).toThrow(StackValueError);
  });

  it('knows lists', () => {
    const items = [int(1n), { kind: 'null' } as const, int(3n)];
    expect(itemsOfList(buildList(items))).toEqual(items);
    expect(itemsOfList({ kind: 'null' })).toEqual([]);
    expect(itemsOfList({ kind: 'tuple', items: [int(1n), int(2n)] })).toBe(null);
    expect(itemsOfList(int(1n))).toBe(null);
  });

  it('reads what is shared once, and counts it as often as it is spelled out', () => {
    // A pair of one pair twice, thirty levels: thirty cells, a billion numbers.
    let pair = beginCell().storeUint(1, 8).storeInt(7, 64).endCell();
    for (let level = 0; level < 30; level++)
      pair = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(pair).storeRef(pair).endCell();
    const stack = beginCell().storeUint(1, 24).storeRef(Cell.EMPTY).storeSlice(pair.beginParse()).endCell();
    const bag = new Uint8Array(stack.toBoc());
    const [value] = readStack(bag);
    expect(value?.kind === 'tuple' && value.items[0] === value.items[1]).toBe(true);
    expect(() => readStack(bag, { maxBytes: 1_000_000 })).toThrow(StackTooLargeError);
  });

  it('writes a bag of many entries once, and refuses more entries and bytes than it is asked for', () => {
    const read = readStack(writeStack(Array.from({ length: 500 }, () => ({ kind: 'cell', boc }) as const)));
    expect(new Set(read.map((value) => 'boc' in value && value.boc)).size).toBe(1);
    const bag = writeStack(read);
    expect(readStack(bag, { maxEntries: 500, maxBytes: 100_000 })).toHaveLength(500);
    expect(() => readStack(bag, { maxEntries: 499 })).toThrow('Result stack size > 499');
    expect(() => readStack(bag, { maxBytes: 50_000 })).toThrow('Result stack > 50000 bytes');
  });

  it('bounds the bags of slices of one cell', () => {
    // Each is small in the stack: bounds of a cell that all of them share.
    let stack = Cell.EMPTY;
    let long = Cell.EMPTY;
    for (let at = 0; at < 900; at++) long = beginCell().storeUint(at, 900).storeRef(long).endCell();
    for (let at = 0; at < 100; at++) {
      const builder = beginCell();
      if (at === 99) builder.storeUint(100, 24);
      builder.storeRef(stack).storeUint(4, 8).storeRef(long);
      stack = builder.storeUint(at, 10).storeUint(900, 10).storeUint(0, 3).storeUint(1, 3).endCell();
    }
    expect(() => readStack(new Uint8Array(stack.toBoc()), { maxBytes: 1_000_000 })).toThrow(
      StackTooLargeError,
    );
  });

  it('writes long lists, and refuses what is deeper than the emulator can give back', () => {
    const list = (length: number) => buildList(Array.from({ length }, (_, at) => int(BigInt(at))));
    const [read] = readStack(writeStack([list(900)]));
    expect(itemsOfList(read!)).toHaveLength(900);
    expect(() => writeStack([list(30_000)])).toThrow(StackValueError);
    expect(() => writeStack(Array.from({ length: 30_000 }, () => int(1n)))).toThrow(StackValueError);
    let deep = beginCell().endCell();
    for (let at = 0; at < MAX_STACK_DEPTH; at++) deep = beginCell().storeRef(deep).endCell();
    const deepBoc = new Uint8Array(deep.toBoc());
    expect(() => writeStack([{ kind: 'cell', boc: deepBoc }])).toThrow(
      `deeper than ${MAX_STACK_DEPTH} cells`,
    );
  });

  it('knows at each of its places that a long chain is no list', () => {
    let chain: StackValue = int(1n);
    for (let at = 0; at < 30_000; at++) chain = { kind: 'tuple', items: [int(0n), chain] };
    for (let at = chain; at.kind === 'tuple'; at = at.items[1]!) expect(itemsOfList(at)).toBe(null);
  });
});
