import { sha256 } from '../hash/sha256.ts';
import { addCompletionTag, bitsDescriptor, copyBits } from './bits.ts';
import type { CellHashes } from './cell-hashes.ts';
import type { CellSlice } from './cell-slice.ts';

/** Contribution of a reference to the hash of the cell above it. */
export interface HashAndDepth {
  readonly hash: Uint8Array;
  readonly depth: number;
}

/**
 * Returns the representation hash of the rest of a slice as an ordinary cell: the hash of a body or init that is inline
 * in its message. An empty rest gives the hash of the empty cell. The slice does not move.
 */
export function hashSlice(slice: CellSlice, hashes: CellHashes): Uint8Array {
  return hashes.hashOfRest(slice);
}

/**
 * Returns hash and depth of an ordinary level-0 cell outside any bag, from its first `bitLength` bits and its
 * references. Used for the normalised external message.
 * @throws RangeError for more than 1023 bits or four references
 */
export function hashVirtualCell(
  bits: Uint8Array,
  bitLength: number,
  refs: readonly HashAndDepth[],
): HashAndDepth {
  if (bitLength < 0 || bitLength > 1023 || refs.length > 4 || bits.length * 8 < bitLength) {
    throw new RangeError(
      `a cell has at most 1023 bits and 4 references: ${bitLength} of ${bits.length * 8} bits, ${refs.length} references`,
    );
  }
  const size = (bitLength + 7) >> 3;
  const representation = new Uint8Array(2 + size + refs.length * 34);
  representation[0] = refs.length;
  representation[1] = bitsDescriptor(bitLength);
  copyBits({ bytes: bits, start: 0, bit: 0, count: bitLength }, representation, 2);
  addCompletionTag(representation, 2, bitLength);
  let at = 2 + size;
  let depth = 0;
  for (const ref of refs) {
    depth = Math.max(depth, ref.depth + 1);
    representation[at++] = ref.depth >> 8;
    representation[at++] = ref.depth & 0xff;
  }
  for (const ref of refs) {
    representation.set(ref.hash, at);
    at += 32;
  }
  return { hash: sha256(representation), depth };
}
