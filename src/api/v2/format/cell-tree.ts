import { cellBits, copyBits } from '../../../ton/boc/bits.ts';
import { type Boc, ORDINARY, onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';

/** A cell as the older servers show it next to its bag. */
export interface CellTree {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs: readonly CellTree[];
  readonly special: boolean;
}

/** A few cells that refer to each other several times would spell out trees without end. */
const MAX_CELLS = 1_000;

/** A cell of a tree in addition to its data: `{"data":{"b64":"","len":1023},"refs":[],"special":false},`. */
const CELL_BYTES = 64;

/** A tree with about the bytes of its JSON. */
export interface SizedTree {
  readonly tree: CellTree;
  readonly bytes: number;
}

/** The tree of a bag's only root; null if it has too many cells: the bag has the same content. */
export function cellTree(bytes: Uint8Array): SizedTree | null {
  const boc = parseBoc(bytes);
  const budget = { left: MAX_CELLS, bytes: 0 };
  const tree = buildTree(boc, onlyRoot(boc), budget);
  return tree && { tree, bytes: budget.bytes };
}

function buildTree(boc: Boc, cell: number, budget: { left: number; bytes: number }): CellTree | null {
  if (--budget.left < 0) return null;
  const len = boc.bitLength[cell]!;
  const data = new Uint8Array((len + 7) >> 3);
  copyBits(cellBits(boc, cell), data, 0);
  budget.bytes += CELL_BYTES + Math.ceil(data.length / 3) * 4;
  const refs: CellTree[] = [];
  for (let k = 0; k < boc.refCount[cell]!; k++) {
    const ref = buildTree(boc, boc.refs[cell * 4 + k]!, budget);
    if (ref === null) return null;
    refs.push(ref);
  }
  return { data: { b64: toBase64(data), len }, refs, special: boc.type[cell] !== ORDINARY };
}
