import type { Boc } from '../boc/boc.ts';
import { CellError } from '../boc/cell-error.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { walkLeaves } from '../boc/hashmap.ts';

/** SETCP0, with which compiled code begins. */
const SETCP0 = 0xff00;
/** DICTPUSHCONST: 13 bits, then a set bit that says that there is a dictionary. */
const DICTPUSHCONST = 0b1111010010100;
/** Edges that are walked: a code with a thousand methods has fewer. */
const MOST_EDGES = 4_096;

/**
 * Ids of the methods of a code, ascending (v3-rules.md 6, `contract_methods`); none where the code does not begin with a
 * dictionary of methods. Keys are signed numbers, negative ones those of message handlers.
 */
export function methodIdsOf(boc: Boc, code: number): number[] {
  try {
    const slice = new CellSlice(boc, code);
    if (slice.uint(16) !== SETCP0 || slice.uint(13) !== DICTPUSHCONST || !slice.bit()) return [];
    const keyBits = slice.uint(10);
    if (keyBits === 0 || keyBits > 32) return [];
    const ids: number[] = [];
    const visit = (key: Uint8Array) => ids.push(keyNumber(key, keyBits));
    walkLeaves(boc, slice.ref(), { keyBits, maxEdges: MOST_EDGES }, visit);
    return ids.sort((a, b) => a - b);
  } catch (error) {
    if (error instanceof CellError) return [];
    throw error;
  }
}

/** The first `bits` bits of a key as an unsigned number. */
function keyNumber(key: Uint8Array, bits: number): number {
  let value = 0;
  for (const byte of key) value = value * 256 + byte;
  return Math.floor(value / 2 ** (key.length * 8 - bits));
}
