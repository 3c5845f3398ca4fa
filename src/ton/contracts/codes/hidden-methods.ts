import type { Boc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { ORDINARY } from '../../boc/cell-type.ts';
import { dictionaryPush, idsOfDictionary } from './method-ids.ts';

/** Cells of a code that are looked through: a dictionary of methods is called within the first few. */
const MAX_CELLS = 32;
/** DICTIGETJMP to DICTUGETEXEC and the same with a Z, without their last two bits. */
const JUMPS: readonly number[] = [0xf4a0, 0xf4bc];
/** DICTPUSHCONST and a jump. */
const SELECTOR_BITS = 40;

/**
 * Returns the method ids of a code that does not start with their dictionary (`readMethodIds`), ascending: keys of
 * dictionaries that it jumps into later. Tact from 1.6 on calls the message handler first and has the dictionary in a
 * continuation. The ids only show which methods can be called; the answers decide what the contract is.
 */
export function findHiddenMethods(boc: Boc, code: number): number[] {
  const ids = new Set<number>();
  const cells = new Set([code]);
  // The set grows while it is walked: level by level.
  for (const cell of cells) {
    if (boc.type[cell] !== ORDINARY) continue;
    const refs = [...boc.refs.subarray(cell * 4, cell * 4 + boc.refCount[cell]!)];
    for (const keyBits of findSelectors(boc, cell))
      for (const id of refs.flatMap((ref) => idsUnder(boc, ref, keyBits))) ids.add(id);
    for (const ref of refs) if (cells.size < MAX_CELLS) cells.add(ref);
  }
  return [...ids].sort((a, b) => a - b);
}

/**
 * Key widths of dictionaries that a cell's instructions jump into. Which reference each one uses is not distinguished.
 */
function findSelectors(boc: Boc, cell: number): Set<number> {
  const found = new Set<number>();
  for (let bit = 0; bit + SELECTOR_BITS <= boc.bitLength[cell]!; bit += 8) {
    const slice = new CellSlice(boc, cell);
    slice.skipBits(bit);
    const keyBits = dictionaryPush(slice);
    if (keyBits !== null && JUMPS.includes(slice.uint(16) & 0xfffc)) found.add(keyBits);
  }
  return found;
}

function idsUnder(boc: Boc, root: number, keyBits: number): number[] {
  try {
    return idsOfDictionary(boc, root, keyBits);
  } catch (error) {
    // Another reference of the cell.
    if (error instanceof CellError) return [];
    throw error;
  }
}
