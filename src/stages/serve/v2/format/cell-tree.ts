import { copyBits } from '../../../../ton/boc/bits.ts';
import { type Boc, ORDINARY, onlyRoot, parseBoc } from '../../../../ton/boc/boc.ts';
import { toBase64 } from '../../../../ton/hash/base64.ts';

/** A cell as the older servers show it beside its bag. */
export interface CellTree {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs: readonly CellTree[];
  readonly special: boolean;
}

/** A few cells that refer to each other several times would spell out trees without end. */
const MAX_CELLS = 1_000;

/** The tree of a bag's only root; null where it has too many cells: nobody reads it, the bag is beside it. */
export function cellTree(bytes: Uint8Array): CellTree | null {
  const boc = parseBoc(bytes);
  const budget = { left: MAX_CELLS };
  return treeOf(boc, onlyRoot(boc), budget);
}

function treeOf(boc: Boc, cell: number, budget: { left: number }): CellTree | null {
  if (--budget.left < 0) return null;
  const len = boc.bitLength[cell]!;
  const data = new Uint8Array((len + 7) >> 3);
  copyBits(boc.bytes, boc.dataStart[cell]!, 0, len, data, 0);
  const refs: CellTree[] = [];
  for (let k = 0; k < boc.refCount[cell]!; k++) {
    const ref = treeOf(boc, boc.refs[cell * 4 + k]!, budget);
    if (ref === null) return null;
    refs.push(ref);
  }
  return { data: { b64: toBase64(data), len }, refs, special: boc.type[cell] !== ORDINARY };
}
