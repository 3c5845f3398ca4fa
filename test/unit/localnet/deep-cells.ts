import { contractAt } from '../../../src/localnet/genesis/genesis-code.ts';
import type { Cell } from '../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';

const BALANCE = 1_000_000_000_000n;
const KEY_BITS = 1023;
const EMPTY = new CellBuilder().cell();

/** A chain of cells, no two equal. */
export function deepCell(depth: number, salt = 0): Cell {
  let cell = new CellBuilder().uint(salt, 16).cell();
  for (let i = 0; i < depth; i++) cell = new CellBuilder().uint(i, 16).ref(cell).cell();
  return cell;
}

function codeOf(hex: string): Cell {
  return new CellBuilder().bytes(Buffer.from(hex, 'hex')).cell();
}

/** Takes every message and does nothing: SETCP0 ACCEPT */
export const accepting = contractAt(codeOf('ff00f800'), EMPTY, BALANCE);

/** Puts a cell around its data with every message: SETCP0 ACCEPT, PUSH c4, NEWC, STREF, ENDC, POP c4 */
export function growing(depth: number) {
  return contractAt(codeOf('ff00f800ed44c8ccc9ed54'), deepCell(depth), BALANCE);
}

/** Loops until its gas is used up: SETCP0 ACCEPT, PUSHCONT {}, AGAIN */
export const looping = contractAt(codeOf('ff00f80090ea'), EMPTY, BALANCE);

/**
 * Sets the value of a key of the dictionary in its data, by a recursion as deep as the dictionary: SETCP0 ACCEPT,
 * PUSH c4, CTOS, LDREF, LDREF, DROP, CTOS, NEWC, ENDC, CTOS, XCHG s0 s2, PUSHINT 1023, DICTSET, DROP
 */
export function withDictionary(depth: number) {
  const key = new CellBuilder().bytes(new Uint8Array(127)).uint(0, 7).cell();
  const data = new CellBuilder().ref(dictionary(depth)).ref(key).cell();
  return contractAt(codeOf('ff00f800ed44d0d4d430d0c8c9d0028103fff41230'), data, BALANCE);
}

/** Forks at each of the first `depth` bits of its keys, with empty values. */
function dictionary(depth: number): Cell {
  let node = leaf(KEY_BITS - depth);
  for (let bit = depth - 1; bit >= 0; bit--)
    node = new CellBuilder()
      .uint(0b00, 2)
      .ref(node)
      .ref(leaf(KEY_BITS - bit - 1))
      .cell();
  return node;
}

// hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
function leaf(bits: number): Cell {
  return new CellBuilder()
    .uint(0b110, 3)
    .uint(bits, 32 - Math.clz32(bits))
    .cell();
}
