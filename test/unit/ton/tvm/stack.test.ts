import { beginCell, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../../../src/ton/tvm/read-stack.ts';
import { itemsOfList, listOf, type StackValue } from '../../../../src/ton/tvm/stack-value.ts';
import { StackValueError, writeStack } from '../../../../src/ton/tvm/write-stack.ts';

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
    expect(itemsOfList(listOf(items))).toEqual(items);
    expect(itemsOfList({ kind: 'null' })).toEqual([]);
    expect(itemsOfList({ kind: 'tuple', items: [int(1n), int(2n)] })).toBe(null);
    expect(itemsOfList(int(1n))).toBe(null);
  });
});
