import type { Boc } from './boc.ts';

/** `count` bits of `bytes`, from bit `bit` after byte `start` on. */
export interface BitRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly bit: number;
  readonly count: number;
}

/** The data bits of a cell, from bit `bit` on. */
export function cellBits({ bytes, dataStart, bitLength }: Boc, cell: number, bit = 0): BitRange {
  return { bytes, start: dataStart[cell]!, bit, count: bitLength[cell]! - bit };
}

/**
 * Copies bits to the whole byte `at` of `target`; the unused low bits of the last byte are zero. Reads no byte beyond
 * the last bit.
 * @returns how many bytes were written
 */
export function copyBits(
  { bytes: source, start, bit, count }: BitRange,
  target: Uint8Array,
  at: number,
): number {
  const size = (count + 7) >> 3;
  const first = start + (bit >> 3);
  const shift = bit & 7;
  if (shift === 0) {
    for (let i = 0; i < size; i++) target[at + i] = source[first + i]!;
  } else {
    const last = start + ((bit + count - 1) >> 3);
    for (let i = 0; i < size; i++) {
      const from = first + i;
      const low = from < last ? source[from + 1]! >> (8 - shift) : 0;
      target[at + i] = (source[from]! << shift) | low;
    }
  }
  const rest = count & 7;
  if (rest !== 0) target[at + size - 1] = target[at + size - 1]! & (0xff00 >> rest);
  return size;
}

/** Sets the completion tag (one 1 bit after the data) in the last of the bytes that `copyBits` wrote at `at`. */
export function addCompletionTag(target: Uint8Array, at: number, count: number): void {
  const rest = count & 7;
  if (rest !== 0) {
    const last = at + (count >> 3);
    target[last] = target[last]! | (0x80 >> rest);
  }
}

/** Second descriptor byte: twice the number of whole bytes, plus one if a last byte is partly used. */
export function bitsDescriptor(bitLength: number): number {
  return (bitLength >> 3) + ((bitLength + 7) >> 3);
}
