import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import type { Json, Reading } from './reading.ts';
import { showBits } from './show-bits.ts';

/** Reads a value at the reading's place. */
export type ReadValue = (reading: Reading) => Json;

/** `HashmapE n X`: a bit, then the root's cell. */
export function showDictionary(reading: Reading, keyBits: number, value: ReadValue): Json {
  reading.budget.take(0);
  if (!reading.slice.bit()) return { '@type': 'hashmap_empty' };
  return { '@type': 'hashmap_root', root: reading.reference(() => showEdge(reading, keyBits, value)) };
}

/**
 * `Hashmap n X` with its labels: keys are spread over the edges.
 * @throws CellError, LimitError
 */
export function showEdge(reading: Reading, keyBits: number, value: ReadValue): Json {
  return reading.deeper(() => {
    const { label, length } = showLabel(reading, keyBits);
    const node = showNode(reading, keyBits - length, value);
    return { '@type': 'hashmap_edge', label, node };
  });
}

function showNode(reading: Reading, keyBits: number, value: ReadValue): Json {
  reading.budget.take(0);
  if (keyBits === 0) return { '@type': 'hashmap_node_leaf', value: value(reading) };
  const left = reading.reference(() => showEdge(reading, keyBits - 1, value));
  const right = reading.reference(() => showEdge(reading, keyBits - 1, value));
  return { '@type': 'hashmap_node_fork', left, right };
}

interface Label {
  readonly label: Json;
  readonly length: number;
}

/**
 *     hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
 *     hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
 *     hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
 */
function showLabel(reading: Reading, most: number): Label {
  const { slice } = reading;
  reading.budget.take(0);
  const width = 32 - Math.clz32(most);
  if (!slice.bit()) {
    let length = 0;
    while (slice.bit()) length++;
    checkLength(slice, length, most);
    const s = reading.text(showBits(slice, length));
    return { label: { '@type': 'hashmap_label_short', len: showUnary(reading, length), s }, length };
  }
  if (!slice.bit()) {
    const length = checkLength(slice, slice.uint(width), most);
    const n = reading.number(length);
    return { label: { '@type': 'hashmap_label_long', n, s: reading.text(showBits(slice, length)) }, length };
  }
  const v = showBit(reading);
  const length = checkLength(slice, slice.uint(width), most);
  return { label: { '@type': 'hashmap_label_same', v, n: reading.number(length) }, length };
}

function checkLength(slice: CellSlice, length: number, most: number): number {
  if (length <= most) return length;
  const { cell, bitPosition: bit } = slice;
  throw new CellError('value', { cell, bit, what: 'HmLabel', expected: `at most ${most}`, found: length });
}

function showUnary(reading: Reading, value: number): Json {
  let shown: Json = { '@type': 'unary_zero' };
  for (let left = value; left > 0; left--) {
    reading.budget.take(0);
    shown = { '@type': 'unary_succ', x: shown };
  }
  return shown;
}

/** `bit$_ (## 1) = Bit;` */
export function showBit(reading: Reading): Json {
  return { '@type': 'bit', '': reading.number(reading.slice.uint(1)) };
}
