/** Bit `at` of a key, counted from its first byte's highest. */
export function isBitSet(key: Uint8Array, at: number): boolean {
  return (key[at >> 3]! & (0x80 >> (at & 7))) !== 0;
}

/** Returns the first position in [start, end) where two keys differ, or `end` if they are equal. */
export function firstDifference(a: Uint8Array, b: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; ) {
    const byte = at >> 3;
    const difference = (a[byte]! ^ b[byte]!) & (0xff >> (at & 7));
    if (difference !== 0) return Math.min(end, byte * 8 + Math.clz32(difference) - 24);
    at = (byte + 1) * 8;
  }
  return end;
}

/** A number as a key of `bits` bits, big-endian, in whole bytes; `bits` that end inside a byte are left-aligned. */
export function numberKey(value: number | bigint, bits: number): Uint8Array {
  const size = (bits + 7) >> 3;
  const key = new Uint8Array(size);
  let rest = BigInt.asUintN(bits, BigInt(value)) << BigInt(size * 8 - bits);
  for (let at = size - 1; at >= 0; at--, rest >>= 8n) key[at] = Number(rest & 0xffn);
  return key;
}
