/** A step at the head asks for so many at most; larger sets are asked for while the index catches up. */
const FEW_KEYS = 200;

/** Whether a read of so many keys takes its turn among small inserts (`QueryOptions.inTurn`). */
export function areFew(keys: readonly unknown[]): boolean {
  return keys.length <= FEW_KEYS;
}
