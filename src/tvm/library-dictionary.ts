import type { Cell } from '../ton/cell/cell.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../ton/cell/trie.ts';
import { writeBag } from '../ton/cell/write-bag.ts';
import { toBase64 } from '../ton/hash/base64.ts';

// Hashmap 256 ^Cell
const CELLS: TrieForm<Cell, null> = {
  keyBits: 256,
  store: (builder, cell) => builder.ref(cell),
  extra: NO_EXTRA,
};

/** Libraries as the emulator takes them, a BoC in base64; null for none. */
export function libraryDictionary(libraries: Iterable<Cell>): string | null {
  let cells = Trie.empty(CELLS);
  for (const library of libraries) cells = cells.set(library.hash(), library);
  const root = cells.root();
  return root && toBase64(writeBag(root, { index: false }));
}
