/** CurrencyCollection and its dictionary; mirrors tlb/currency-collection.ts, state-currencies.ts. */
import { Area } from './area';
import { isComplete } from './bags/bag';
import { coins, end, keep, maybeRef, restore, skipCoins, varUint } from './bags/cursor';
import { nextLeaf, openWalk, walkKey } from './bags/dictionary';
import { advance, put64, room, streamStart as startOf } from './streams';

/** Dictionary entries: id (4 bytes), amount (32 bytes). */
export const ENTRIES = new Area();
export const ENTRY: usize = 36;

/**
 * Reads a dictionary of extra currencies to the end of ENTRIES; gives how many entries it has.
 *
 *     extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
 */
export function readEntries(root: i32): i32 {
  let count = 0;
  keep();
  openWalk(root, 32, false);
  while (nextLeaf()) {
    const to = ENTRIES.room(ENTRY);
    store<u32>(to, bswap<u32>(load<u32>(walkKey())));
    varUint(5, to + 4, 32);
    end('ExtraCurrencyCollection');
    ENTRIES.length += ENTRY;
    count++;
  }
  restore();
  return count;
}

/** Only for its form. */
function checkEntries(root: i32): void {
  const length = ENTRIES.length;
  readEntries(root);
  ENTRIES.length = length;
}

/** Grams to 16 bytes at `to`; gives the root of the dictionary, whose form is checked, or -1. */
export function currencies(to: usize): i32 {
  coins(to);
  const root = maybeRef();
  if (root >= 0) checkEntries(root);
  return root;
}

export function skipCurrencies(): void {
  skipCoins();
  const root = maybeRef();
  if (root >= 0) checkEntries(root);
}

/** Like `currencies`, in a state update, whose dictionary may be partly pruned. */
export function stateCurrencies(to: usize): i32 {
  coins(to);
  const root = maybeRef();
  if (root >= 0 && isComplete(root)) checkEntries(root);
  return root;
}

/** Writes `count` entries that start at `first` (bytes) of ENTRIES as a value of a map column. */
export function putEntries(ends: i32, row: i32, first: usize, count: i32): void {
  const keys = ends + 1;
  const values = ends + 2;
  for (let i = 0; i < count; i++) {
    const from = ENTRIES.start + first + <usize>i * ENTRY;
    store<u32>(room(keys, 4), load<u32>(from));
    advance(keys, 4);
    const to = room(values, 32);
    v128.store(to, v128.load(from, 4));
    v128.store(to, v128.load(from, 20), 16);
    advance(values, 32);
  }
  put64(ends, row, <u64>entriesOf(keys));
}

/** Entries of a map column so far. */
@inline
function entriesOf(keys: i32): u32 {
  return <u32>((room(keys, 0) - startOf(keys)) >> 2);
}

/** A map column's value from the dictionary of that root, which has been checked; -1: none. */
export function putCurrencies(ends: i32, row: i32, root: i32): void {
  const first = ENTRIES.length;
  const count = root < 0 ? 0 : readEntries(root);
  putEntries(ends, row, first, count);
  ENTRIES.length = first;
}
