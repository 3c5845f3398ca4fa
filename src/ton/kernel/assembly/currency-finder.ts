/**
 * The extra currencies of a balance whose dictionary is pruned in the state update; mirrors decode/currency-finder.ts:
 * the value flow often holds the same dictionary.
 */
import { isComplete } from './bags/bag';
import { hashNow, lowestHashOf } from './bags/hash-cells';
import { sameHash } from './refuse';

/** Dictionaries of the totals before and after the block; -1 for none. */
let rootBefore: i32 = -1;
let rootAfter: i32 = -1;

export function knowCurrencies(before: i32, after: i32): void {
  rootBefore = before;
  rootAfter = after;
}

/** The root of a dictionary with the same content as `root`; -1 for none or unknown. */
export function findCurrencies(root: i32): i32 {
  if (root < 0 || isComplete(root)) return root;
  hashNow(root);
  if (rootBefore >= 0) hashNow(rootBefore);
  if (rootAfter >= 0) hashNow(rootAfter);
  const wanted = lowestHashOf(root);
  if (rootAfter >= 0 && sameHash(lowestHashOf(rootAfter), wanted)) return rootAfter;
  if (rootBefore >= 0 && sameHash(lowestHashOf(rootBefore), wanted)) return rootBefore;
  return -1;
}
