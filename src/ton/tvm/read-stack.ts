import { onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { serializeCell, serializeSlice } from '../boc/serialize.ts';
import { unknownTag } from '../tlb/tag.ts';
import { STACK_NULL, type StackValue } from './stack-value.ts';

/**
 * Reads a stack as the emulator gives it: the deepest entry first.
 *
 *     vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack;
 *     vm_stk_cons#_ {n:#} rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1);
 *     vm_stk_nil#_ = VmStackList 0;
 *
 * @throws BocError, CellError
 */
export function readStack(bytes: Uint8Array): StackValue[] {
  const boc = parseBoc(bytes);
  const slice = new CellSlice(boc, onlyRoot(boc));
  const values: StackValue[] = [];
  for (let left = slice.uint(24); left > 0; left--) {
    const rest = slice.ref();
    values.push(readValue(slice));
    slice.reset(rest);
  }
  return values.reverse();
}

// vm_stk_null#00, vm_stk_tinyint#01 value:int64, vm_stk_int#0201_ value:int257, vm_stk_nan#02ff,
// vm_stk_cell#03 cell:^Cell, vm_stk_slice#04 _:VmCellSlice, vm_stk_builder#05 cell:^Cell, vm_stk_cont#06 cont:VmCont,
// vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue;
function readValue(slice: CellSlice): StackValue {
  const tag = slice.uint(8);
  switch (tag) {
    case 0x00:
      return STACK_NULL;
    case 0x01:
      return { kind: 'int', value: slice.bigInt(64) };
    case 0x02:
      return readInteger(slice);
    case 0x03:
      return { kind: 'cell', boc: serializeCell(slice.boc, slice.ref()) };
    case 0x04:
      return readSlice(slice);
    case 0x05:
      return { kind: 'builder', boc: serializeCell(slice.boc, slice.ref()) };
    case 0x06:
      return { kind: 'continuation' };
    case 0x07:
      return { kind: 'tuple', items: readTuple(slice, slice.uint(16)) };
    default:
      throw unknownTag(slice, 'VmStackValue', tag);
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

// _ cell:^Cell st_bits:(## 10) end_bits:(## 10) { st_bits <= end_bits }
//   st_ref:(#<= 4) end_ref:(#<= 4) { st_ref <= end_ref } = VmCellSlice;
function readSlice(slice: CellSlice): StackValue {
  const piece = new CellSlice(slice.boc, -1).resetAny(slice.ref());
  const [startBit, endBit] = [slice.uint(10), slice.uint(10)];
  const [startRef, endRef] = [slice.uint(3), slice.uint(3)];
  piece.skipBits(startBit);
  piece.skipRefs(startRef);
  const end = piece.clone();
  end.skipBits(endBit - startBit);
  end.skipRefs(endRef - startRef);
  return { kind: 'slice', boc: serializeSlice(piece.upTo(end)) };
}

// vm_tuple_nil$_ = VmTuple 0;
// vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
// vm_tupref_nil$_ = VmTupleRef 0;
// vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;
// vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
function readTuple(slice: CellSlice, length: number): StackValue[] {
  const items: StackValue[] = [];
  const at = slice.clone();
  for (let left = length; left > 0; left--) {
    // A head of one entry is that entry, a longer one a tuple of its own.
    const head = left > 1 ? at.ref() : -1;
    items.push(readValue(new CellSlice(slice.boc, at.ref())));
    if (left === 2) {
      items.push(readValue(new CellSlice(slice.boc, head)));
      break;
    }
    if (left > 2) at.reset(head);
  }
  return items.reverse();
}
