import type { Boc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { walkLeaves } from '../../boc/hashmap.ts';

/** SETCP0, with which compiled code begins. */
const SETCP0 = 0xff00;
/** DICTPUSHCONST: 13 bits, then a set bit for a present dictionary. */
const DICTPUSHCONST = 0b1111010010100;
/** Edges that are walked: a code with a thousand methods has fewer. */
const MAX_EDGES = 4_096;

/**
 * Returns the method ids of a code, ascending (v3-rules.md 6, `contract_methods`); none if the code does not start with
 * a dictionary of methods. Keys are signed; negative keys are message handlers.
 */
export function readMethodIds(boc: Boc, code: number): number[] {
  try {
    const slice = new CellSlice(boc, code);
    const keyBits = slice.uint(16) === SETCP0 ? dictionaryPush(slice) : null;
    return keyBits === null ? [] : idsOfDictionary(boc, slice.ref(), keyBits);
  } catch (error) {
    if (error instanceof CellError) return [];
    throw error;
  }
}

/**
 * Returns the key width if the next instruction pushes a dictionary from a reference; null if it does not, or the keys
 * cannot be method ids.
 */
export function dictionaryPush(slice: CellSlice): number | null {
  if (slice.uint(13) !== DICTPUSHCONST || !slice.bit()) return null;
  const keyBits = slice.uint(10);
  return keyBits === 0 || keyBits > 32 ? null : keyBits;
}

/**
 * Keys of a dictionary, ascending.
 * @throws CellError if the cell is not a dictionary
 */
export function idsOfDictionary(boc: Boc, root: number, keyBits: number): number[] {
  const ids: number[] = [];
  const visit = (key: Uint8Array) => ids.push(keyNumber(key, keyBits));
  walkLeaves(boc, root, { keyBits, maxEdges: MAX_EDGES }, visit);
  return ids.sort((a, b) => a - b);
}

/** The first `bits` bits of a key as an unsigned number. */
function keyNumber(key: Uint8Array, bits: number): number {
  let value = 0;
  for (const byte of key) value = value * 256 + byte;
  return Math.floor(value / 2 ** (key.length * 8 - bits));
}
