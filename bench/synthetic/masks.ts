/**
 * Masks that are XORed with synthetic hashes and accounts. A copy always uses the same mask, so that a hash moves
 * equally in all tables; 32 zero bytes mean "none" and stay.
 */

/** 32 bytes as eight words. */
export type Mask = Uint32Array;

/** Words that look random, from a number (splitmix32). */
function mask(seed: number): Mask {
  let state = Math.imul(seed + 1, 0x9e3779b9) >>> 0;
  return Uint32Array.from({ length: 8 }, () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  });
}

/** Accounts by the last four bits of their id: how many copies share one. */
const FIXED_CLASSES = 1;
const EIGHT_CLASSES = 6;
const SIXTY_FOUR_CLASSES = 11;

/** The masks of one copy. */
export interface CopyMasks {
  readonly hash: Mask;
  /** By the last four bits of the account's id; null: the account is the same in every copy. */
  readonly accounts: readonly (Mask | null)[];
}

/**
 * Masks of a copy. One of sixteen kinds of accounts is the same in all copies (thousands of transactions), five return
 * in every eighth, five in every 64th, and the others are new in each copy.
 */
export function copyMasks(copy: number): CopyMasks {
  const accounts = Array.from({ length: 16 }, (_, kind) => {
    if (kind < FIXED_CLASSES) return null;
    if (kind < EIGHT_CLASSES) return mask(1_000_000_000 + (copy % 8));
    if (kind < SIXTY_FOUR_CLASSES) return mask(1_100_000_000 + (copy % 64));
    return mask(1_200_000_000 + copy);
  });
  return { hash: mask(copy), accounts };
}

/** Copies whose masks are kept: blocks come copy after copy. */
const MAX_CACHED = 64;

/** Gives the masks of a copy, made once while it is in use. */
export function cachedMasks(): (copy: number) => CopyMasks {
  const cached = new Map<number, CopyMasks>();
  return (copy) => {
    let masks = cached.get(copy);
    if (!masks) {
      masks = copyMasks(copy);
      cached.set(copy, masks);
      if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value as number);
    }
    return masks;
  };
}
