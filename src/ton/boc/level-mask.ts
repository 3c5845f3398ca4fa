/** The highest level that a cell can have. */
export const MAX_LEVEL = 3;

/**
 * How many levels are significant in a mask of 0…7. A cell has one hash more than that: index 0 is its lowest hash, and
 * the hash at level l has the index `LEVELS_IN[mask & ((1 << l) - 1)]`.
 */
export const LEVELS_IN: Uint8Array = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

/** Number of bytes of hashes and depths in a cell with this mask that stores them (descriptor bit 4). */
export function storedHashBytes(mask: number): number {
  return (LEVELS_IN[mask]! + 1) * (32 + 2);
}
