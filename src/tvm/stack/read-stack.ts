import { type Boc, onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { serializeCell, serializeSlice } from '../../ton/boc/serialize.ts';
import { unknownTag } from '../../ton/tlb/tag.ts';
import { STACK_NULL, type StackValue } from './stack-value.ts';

/** Limits of a stack reader; none by default. */
export interface StackLimits {
  /** Entries of the stack itself. */
  readonly maxEntries?: number;
  /** Bytes of the stack spelled out: every entry with all below it, as a text of JSON has them. */
  readonly maxBytes?: number;
}

/** A stack is larger than its reader takes. */
export class StackTooLargeError extends Error {
  override readonly name = 'StackTooLargeError';
  readonly limit: keyof StackLimits;

  constructor(limit: keyof StackLimits, most: number) {
    super(limit === 'maxEntries' ? `Result stack size > ${most}` : `Result stack > ${most} bytes`);
    this.limit = limit;
  }
}

/**
 * Reads a stack as the emulator gives it: the deepest entry first.
 *
 *     vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack;
 *     vm_stk_cons#_ {n:#} rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1);
 *     vm_stk_nil#_ = VmStackList 0;
 *
 * Equal cells give the same object: a bag is written once however often it occurs, and a tuple that holds itself twice,
 * thirty times over, is thirty objects. Its size spelled out is counted, and refused before it is made.
 *
 * @throws BocError, CellError, StackTooLargeError
 */
export function readStack(bytes: Uint8Array, limits: StackLimits = {}): StackValue[] {
  const { maxEntries = Infinity, maxBytes = Infinity } = limits;
  const boc = parseBoc(bytes);
  const slice = new CellSlice(boc, onlyRoot(boc));
  const depth = slice.uint(24);
  if (depth > maxEntries) throw new StackTooLargeError('maxEntries', maxEntries);
  const reader = new StackReader(boc, maxBytes);
  const values: StackValue[] = [];
  let spelled = 0;
  for (let left = depth; left > 0; left--) {
    const rest = slice.ref();
    const { value, bytes } = reader.value(slice);
    values.push(value);
    spelled += bytes;
    if (spelled > maxBytes) throw new StackTooLargeError('maxBytes', maxBytes);
    slice.reset(rest);
  }
  return values.reverse();
}

/** A value with its size spelled out. */
interface Sized {
  readonly value: StackValue;
  readonly bytes: number;
}

/** About what a value without content takes: `{"@type":"tvm.stackEntryUnsupported"}`. */
const EMPTY_BYTES = 40;
/** A number of 257 bits with what stands around it. */
const NUMBER_BYTES = 160;
const NULL: Sized = { value: STACK_NULL, bytes: EMPTY_BYTES };

/** Reads values of one bag, each different one once. Its recursion ends where bags do: at a depth of 1024. */
class StackReader {
  private readonly boc: Boc;
  private readonly maxBytes: number;
  /** Values that are cells of their own, by cell. */
  private readonly entries = new Map<number, Sized>();
  private readonly tuples = new Map<string, Sized>();
  /** By cell and, of slices, its bounds. */
  private readonly bags = new Map<string, Uint8Array>();
  /** Bytes of all bags: slices of one long cell are small in the bag that is read, and large one by one. */
  private written = 0;

  constructor(boc: Boc, maxBytes: number) {
    this.boc = boc;
    this.maxBytes = maxBytes;
  }

  // vm_stk_null#00, vm_stk_tinyint#01 value:int64, vm_stk_int#0201_ value:int257, vm_stk_nan#02ff,
  // vm_stk_cell#03 cell:^Cell, vm_stk_slice#04 _:VmCellSlice, vm_stk_builder#05 cell:^Cell, vm_stk_cont#06 cont:VmCont,
  // vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue;
  value(slice: CellSlice): Sized {
    const tag = slice.uint(8);
    switch (tag) {
      case 0x00:
        return NULL;
      case 0x01:
        return { value: { kind: 'int', value: slice.bigInt(64) }, bytes: NUMBER_BYTES };
      case 0x02:
        return { value: readInteger(slice), bytes: NUMBER_BYTES };
      case 0x03:
        return this.cell('cell', slice.ref());
      case 0x04:
        return this.slice(slice);
      case 0x05:
        return this.cell('builder', slice.ref());
      case 0x06:
        return { value: { kind: 'continuation' }, bytes: EMPTY_BYTES };
      case 0x07:
        return this.tuple(slice, slice.uint(16));
      default:
        throw unknownTag(slice, 'VmStackValue', tag);
    }
  }

  private cell(kind: 'cell' | 'builder', cell: number): Sized {
    return this.ofBag(
      kind,
      this.bag(`${cell}`, () => serializeCell(this.boc, cell)),
    );
  }

  // _ cell:^Cell st_bits:(## 10) end_bits:(## 10) { st_bits <= end_bits }
  //   st_ref:(#<= 4) end_ref:(#<= 4) { st_ref <= end_ref } = VmCellSlice;
  private slice(slice: CellSlice): Sized {
    const cell = slice.ref();
    const [startBit, endBit] = [slice.uint(10), slice.uint(10)];
    const [startRef, endRef] = [slice.uint(3), slice.uint(3)];
    const write = () => {
      const piece = new CellSlice(slice.boc, -1).resetAny(cell);
      piece.skipBits(startBit);
      piece.skipRefs(startRef);
      const end = piece.clone();
      end.skipBits(endBit - startBit);
      end.skipRefs(endRef - startRef);
      return serializeSlice(piece.upTo(end));
    };
    return this.ofBag('slice', this.bag([cell, startBit, endBit, startRef, endRef].join(), write));
  }

  private ofBag(kind: 'cell' | 'slice' | 'builder', boc: Uint8Array): Sized {
    return { value: { kind, boc }, bytes: EMPTY_BYTES * 2 + Math.ceil(boc.length / 3) * 4 };
  }

  private bag(key: string, write: () => Uint8Array): Uint8Array {
    const known = this.bags.get(key);
    if (known) return known;
    const bag = write();
    this.bags.set(key, bag);
    this.written += bag.length;
    if (this.written > this.maxBytes) throw new StackTooLargeError('maxBytes', this.maxBytes);
    return bag;
  }

  // vm_tuple_nil$_ = VmTuple 0;
  // vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
  // vm_tupref_nil$_ = VmTupleRef 0;
  // vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;
  // vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
  private tuple(slice: CellSlice, length: number): Sized {
    const at = slice.clone();
    const key = [length, ...Array.from({ length: Math.min(length, 2) }, () => at.ref())].join();
    const known = this.tuples.get(key);
    if (known) return known;
    const made = this.readTuple(slice.clone(), length);
    this.tuples.set(key, made);
    return made;
  }

  private readTuple(at: CellSlice, length: number): Sized {
    const items: Sized[] = [];
    for (let left = length; left > 0; left--) {
      // A head of one entry is that entry, a longer one a tuple of its own.
      const head = left > 1 ? at.ref() : -1;
      items.push(this.entry(at.ref()));
      if (left === 2) {
        items.push(this.entry(head));
        break;
      }
      if (left > 2) at.reset(head);
    }
    items.reverse();
    const bytes = items.reduce((sum, item) => sum + item.bytes, EMPTY_BYTES * 2);
    if (bytes > this.maxBytes) throw new StackTooLargeError('maxBytes', this.maxBytes);
    return { value: { kind: 'tuple', items: items.map(({ value }) => value) }, bytes };
  }

  private entry(cell: number): Sized {
    const known = this.entries.get(cell);
    if (known) return known;
    const made = this.value(new CellSlice(this.boc, cell));
    this.entries.set(cell, made);
    return made;
  }
}

/** After the first eight bits: seven zeros and the number, or eight ones. */
function readInteger(slice: CellSlice): StackValue {
  if (slice.peekUint(8) === 0xff) {
    slice.skipBits(8);
    return { kind: 'nan' };
  }
  slice.skipBits(7);
  return { kind: 'int', value: slice.bigInt(257) };
}
