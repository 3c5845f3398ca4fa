import type { Cell } from '../build/cell.ts';
import { CellBuilder } from '../build/cell-builder.ts';
import { readCell } from '../build/cells-of-bag.ts';
import { writeBag } from '../build/write-bag.ts';
import type { StackValue } from './stack-value.ts';

/** A value that no argument can be: it has no form outside of the TVM, or is too large. */
export class StackValueError extends Error {
  override readonly name = 'StackValueError';
  readonly found: string;

  constructor(found: string) {
    super(`stack: an argument cannot be ${found}`);
    this.found = found;
  }
}

const MIN_TINY = -(1n << 63n);
const MAX_TINY = -MIN_TINY - 1n;
const MAX_TUPLE = 255;

/**
 * Writes a stack as the emulator takes it, the deepest entry first; see `readStack` for the grammar.
 * @throws StackValueError, BocError
 */
export function writeStack(values: readonly StackValue[]): Uint8Array {
  let rest = new CellBuilder().cell();
  const last = values.length - 1;
  for (const [at, value] of values.entries()) {
    const builder = new CellBuilder();
    if (at === last) builder.uint(values.length, 24);
    builder.ref(rest);
    storeValue(builder, value);
    rest = builder.cell();
  }
  const stack = last < 0 ? new CellBuilder().uint(0, 24).cell() : rest;
  return writeBag(stack, { index: false });
}

function storeValue(builder: CellBuilder, value: StackValue): void {
  switch (value.kind) {
    case 'null':
      builder.uint(0x00, 8);
      return;
    case 'nan':
      builder.uint(0x02ff, 16);
      return;
    case 'int':
      storeInteger(builder, value.value);
      return;
    case 'cell':
      builder.uint(0x03, 8).ref(readCell(value.boc));
      return;
    case 'slice':
      storeSlice(builder, readCell(value.boc));
      return;
    case 'builder':
      builder.uint(0x05, 8).ref(readCell(value.boc));
      return;
    case 'tuple':
      storeTuple(builder, value.items);
      return;
    case 'continuation':
      throw new StackValueError('a continuation');
  }
}

function storeInteger(builder: CellBuilder, value: bigint): void {
  if (BigInt.asIntN(257, value) !== value) throw new StackValueError('a number of more than 257 bits');
  if (value >= MIN_TINY && value <= MAX_TINY) builder.uint(0x01, 8).u64(BigInt.asUintN(64, value));
  else builder.uint(0x0100, 15).bigUint(BigInt.asUintN(257, value), 257);
}

/** The whole cell as a slice. */
function storeSlice(builder: CellBuilder, cell: Cell): void {
  builder.uint(0x04, 8).ref(cell).uint(0, 10).uint(cell.bitLength, 10).uint(0, 3).uint(cell.refs.length, 3);
}

function storeTuple(builder: CellBuilder, items: readonly StackValue[]): void {
  if (items.length > MAX_TUPLE) throw new StackValueError(`a tuple of more than ${MAX_TUPLE} items`);
  builder.uint(0x07, 8).uint(items.length, 16);
  // The head of what is written so far: nothing, then the first entry, then tuples.
  let head: Cell | null = null;
  for (const [at, item] of items.entries()) {
    const entry = valueCell(item);
    if (at === items.length - 1) {
      if (head) builder.ref(head);
      builder.ref(entry);
    } else head = head ? new CellBuilder().ref(head).ref(entry).cell() : entry;
  }
}

function valueCell(value: StackValue): Cell {
  const builder = new CellBuilder();
  storeValue(builder, value);
  return builder.cell();
}
