/**
 * Copies `count` bits that start at bit `bit` after the address `from` to whole bytes at `to`; the unused low bits of the
 * last byte are zero. Writes up to 8 bytes further, which must be free. Gives how many bytes the bits fill.
 */
export function copyBits(from: usize, bit: i32, count: i32, to: usize): i32 {
  const size = (count + 7) >> 3;
  const first = from + <usize>(bit >> 3);
  const shift = <u64>(bit & 7);
  if (shift == 0) {
    for (let i: usize = 0; i < <usize>size; i += 8) store<u64>(to + i, load<u64>(first + i));
  } else {
    for (let i: usize = 0; i < <usize>size; i += 8) {
      const word = bswap<u64>(load<u64>(first + i)) << shift;
      store<u64>(to + i, bswap<u64>(word | (<u64>load<u8>(first + i, 8) >> (8 - shift))));
    }
  }
  const rest = count & 7;
  if (rest != 0) {
    const last = to + <usize>(size - 1);
    store<u8>(last, <u8>(<u32>load<u8>(last) & (0xff00 >>> rest)));
  }
  return size;
}

/** Sets the completion tag (one 1 bit after the data) in the last of the bytes that `copyBits` wrote. */
export function addCompletionTag(to: usize, count: i32): void {
  const rest = count & 7;
  if (rest == 0) return;
  const last = to + <usize>(count >> 3);
  store<u8>(last, <u8>(<u32>load<u8>(last) | (0x80 >>> rest)));
}
