/**
 * Long messages are folded before the checksum. Castagnoli's polynomial divides
 *
 *     x^209 + x^144 + x^54 + x^39 + x^14 + 1
 *
 * and also the same with x^128 instead of x. So a vector of sixteen bytes can be added to the ones 65, 155, 170, 195
 * and 209 places later and then omitted, without changing the remainder. 209 vectors remain at the end.
 */
import { Area } from '../area';

const AFTER_1: usize = (209 - 144) * 16;
const AFTER_2: usize = (209 - 54) * 16;
const AFTER_3: usize = (209 - 39) * 16;
const AFTER_4: usize = (209 - 14) * 16;
/** Bytes that a folded message has. */
export const FOLDED: usize = 209 * 16;

const INVERTED: v128 = i32x4(-1, 0, 0, 0);

/** FOLDED zeros, the vectors that were left out, FOLDED zeros, and what is left of the message. */
const VECTORS = new Area();

/** Contribution of the vectors before to the one at this place. */
@inline
function carried(at: usize): v128 {
  const near = v128.xor(v128.load(at - AFTER_1), v128.load(at - AFTER_2));
  const far = v128.xor(v128.load(at - AFTER_3), v128.load(at - AFTER_4));
  return v128.xor(v128.xor(near, far), v128.load(at - FOLDED));
}

function clear(from: usize): void {
  memory.fill(from, 0, FOLDED);
}

/**
 * Folds `size` bytes, a multiple of 16 and more than FOLDED, whose first four are taken inverted, as the sum begins.
 * Gives the address of the FOLDED bytes that are left.
 */
export function fold(from: usize, size: usize): usize {
  const outSize = size - FOLDED;
  const start = VECTORS.reserve(outSize + 3 * FOLDED) + FOLDED;
  clear(start - FOLDED);
  v128.store(start, v128.xor(v128.load(from), INVERTED));
  for (let at: usize = 16; at < outSize; at += 16) {
    v128.store(start + at, v128.xor(v128.load(from + at), carried(start + at)));
  }
  clear(start + outSize);
  const left = start + outSize + FOLDED;
  for (let at: usize = 0; at < FOLDED; at += 16) {
    v128.store(left + at, v128.xor(v128.load(from + outSize + at), carried(start + outSize + at)));
  }
  return left;
}
