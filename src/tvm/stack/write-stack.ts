import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { measureDepth } from '../../ton/cell/measure-depth.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { itemsOfList, type StackValue } from './stack-value.ts';

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
 * The depth of a stack of arguments, the chain of its entries and what is in them together. Cells may be 1024 deep; the
 * stack that a method leaves holds its arguments again, and a result beyond 1024 ends in an exception of the emulator
 * (an argument that came back needed at most 1021). So many levels are left to the method.
 */
export const MAX_STACK_DEPTH = 960;

/**
 * Writes a stack as the emulator takes it, the deepest entry first; see `readStack` for the grammar. Tuples may be
 * nested a few hundred deep, lists as long as the depth allows.
 * @throws StackValueError, BocError
 */
export function writeStack(values: readonly StackValue[]): Uint8Array {
  const writer = new StackWriter();
  let rest = new CellBuilder().cell();
  const last = values.length - 1;
  for (const [at, value] of values.entries()) {
    const builder = new CellBuilder();
    if (at === last) builder.uint(values.length, 24);
    builder.ref(rest);
    writer.store(builder, value);
    rest = builder.cell();
  }
  const stack = last < 0 ? new CellBuilder().uint(0, 24).cell() : rest;
  // Before anything is hashed: that recurses.
  if (measureDepth(stack, MAX_STACK_DEPTH) > MAX_STACK_DEPTH)
    throw new StackValueError(`a stack deeper than ${MAX_STACK_DEPTH} cells`);
  return writeBag(stack, { index: false });
}

/** Values of one stack: a bag that many of them have is read once. */
class StackWriter {
  private readonly cells = new Map<Uint8Array, Cell>();

  store(builder: CellBuilder, value: StackValue): void {
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
        builder.uint(0x03, 8).ref(this.getCell(value.boc));
        return;
      case 'slice':
        storeSlice(builder, this.getCell(value.boc));
        return;
      case 'builder':
        builder.uint(0x05, 8).ref(this.getCell(value.boc));
        return;
      case 'tuple':
        this.storeTuple(builder, value);
        return;
      case 'continuation':
        throw new StackValueError('a continuation');
    }
  }

  private getCell(boc: Uint8Array): Cell {
    const known = this.cells.get(boc);
    if (known) return known;
    const cell = readCell(boc);
    this.cells.set(boc, cell);
    return cell;
  }

  private storeTuple(builder: CellBuilder, value: StackValue & { readonly kind: 'tuple' }): void {
    const list = itemsOfList(value);
    if (list) this.storeList(builder, list);
    else this.storeItems(builder, value.items);
  }

  /** Writes from the end, without recursion: lists are long. */
  private storeList(builder: CellBuilder, items: readonly StackValue[]): void {
    let rest = new CellBuilder().uint(0x00, 8).cell();
    for (let at = items.length - 1; at > 0; at--) {
      const pair = new CellBuilder();
      storePair(pair, this.entry(items[at]!), rest);
      rest = pair.cell();
    }
    storePair(builder, this.entry(items[0]!), rest);
  }

  private storeItems(builder: CellBuilder, items: readonly StackValue[]): void {
    if (items.length > MAX_TUPLE) throw new StackValueError(`a tuple of more than ${MAX_TUPLE} items`);
    builder.uint(0x07, 8).uint(items.length, 16);
    // The head of what is written so far: nothing, then the first entry, then tuples.
    let head: Cell | null = null;
    for (const [at, item] of items.entries()) {
      const entry = this.entry(item);
      if (at === items.length - 1) {
        if (head) builder.ref(head);
        builder.ref(entry);
      } else head = head ? new CellBuilder().ref(head).ref(entry).cell() : entry;
    }
  }

  private entry(value: StackValue): Cell {
    const builder = new CellBuilder();
    this.store(builder, value);
    return builder.cell();
  }
}

function storePair(builder: CellBuilder, item: Cell, rest: Cell): void {
  builder.uint(0x07, 8).uint(2, 16).ref(item).ref(rest);
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
