import type { CellSlice } from '../boc/cell-slice.ts';

/** `bits n`: left-aligned in its bytes, the unused bits of the last byte are 0. */
export interface BitString {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
}

/** Reads `bitLength` bits. */
export function loadBitString(slice: CellSlice, bitLength: number): BitString {
  const whole = bitLength >> 3;
  const rest = bitLength & 7;
  const bytes = new Uint8Array((bitLength + 7) >> 3);
  slice.bytesInto(bytes, 0, whole);
  if (rest > 0) bytes[whole] = slice.uint(rest) << (8 - rest);
  return { bytes, bitLength };
}

/** Writes bits into a buffer of zeros, from bit `at` on. */
export function putBits(target: Uint8Array, at: number, bits: BitString): void {
  if ((at & 7) === 0) {
    target.set(bits.bytes.subarray(0, (bits.bitLength + 7) >> 3), at >> 3);
    return;
  }
  for (let i = 0; i < bits.bitLength; i++) {
    if (((bits.bytes[i >> 3] as number) & (0x80 >> (i & 7))) !== 0) putOne(target, at + i);
  }
}

/** Sets one bit. */
export function putOne(target: Uint8Array, at: number): void {
  target[at >> 3] = (target[at >> 3] as number) | (0x80 >> (at & 7));
}
