import type { Boc } from '../boc/boc.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { walkLeaves } from '../boc/hashmap.ts';
import type { AccountAddress } from '../store/store-address.ts';
import { standard } from './read-fields.ts';

/** Edges of a dictionary that are walked: one of a thousand keys has fewer. */
const MAX_EDGES = 16_384;

/** Takes a leaf of a dictionary: a copy of its key, and a slice at its value. */
type TakeLeaf = (key: Uint8Array, value: CellSlice) => void;

/** Leaves of a `HashmapE` whose root is cell `root`, in the order of their keys; none where `root` is -1. @throws CellError */
export function readDictionary(boc: Boc, root: number, keyBits: number, take: TakeLeaf): void {
  if (root < 0) return;
  walkLeaves(boc, root, { keyBits, maxEdges: MAX_EDGES }, (key, value) => take(key.slice(), value));
}

/** Values of `HashmapE n MsgAddress`, in the order of their keys. @throws CellError */
export function readAddresses(boc: Boc, root: number, keyBits: number): AccountAddress[] {
  const found: AccountAddress[] = [];
  readDictionary(boc, root, keyBits, (_key, value) => found.push(standard(value)));
  return found;
}
