/**
 * Copying and clearing of a few bytes. `memory.copy` and `memory.fill` are calls out of WebAssembly, which for so few
 * cost more than the bytes do.
 */

/** Least size at which the call pays. */
const MANY: usize = 512;

/** Copies `size` bytes; may write up to 15 bytes further, which must be free. The places do not overlap. */
@inline
export function moveBytes(to: usize, from: usize, size: usize): void {
  if (size >= MANY) {
    memory.copy(to, from, size);
    return;
  }
  for (let at: usize = 0; at < size; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Clears `size` bytes, a multiple of sixteen. */
@inline
export function clearBytes(to: usize, size: usize): void {
  const zero = i32x4.splat(0);
  for (let at: usize = 0; at < size; at += 16) v128.store(to + at, zero);
}
