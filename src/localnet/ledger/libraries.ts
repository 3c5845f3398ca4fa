import type { Cell } from '../../ton/cell/cell.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../../ton/cell/trie.ts';
import { libraryDictionary } from '../../tvm/library-dictionary.ts';

/** A public library: its cell and the masterchain accounts that publish it. */
export interface LibraryEntry {
  readonly library: Cell;
  readonly publishers: Trie<true>;
}

// Hashmap 256 True
export const PUBLISHERS: TrieForm<true, null> = { keyBits: 256, store: () => {}, extra: NO_EXTRA };

// shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
export const LIBRARIES: TrieForm<LibraryEntry, null> = {
  keyBits: 256,
  store: (builder, { library, publishers }) => {
    builder.uint(0b00, 2).ref(library);
    publishers.storeInline(builder);
  },
  extra: NO_EXTRA,
};

/** The libraries as the emulator takes them; null for none. */
export function librariesText(libraries: Trie<LibraryEntry>): string | null {
  return libraryDictionary([...libraries.entries()].map(([, { library }]) => library));
}

/** The dictionary after one account went from publishing `before` to publishing `after` (library cells by hash). */
export function republish(
  libraries: Trie<LibraryEntry>,
  publisher: Uint8Array,
  before: ReadonlyMap<string, Cell>,
  after: ReadonlyMap<string, Cell>,
): Trie<LibraryEntry> {
  let result = libraries;
  for (const [key, library] of before) {
    if (after.has(key)) continue;
    const entry = result.get(library.hash());
    if (!entry) continue;
    const publishers = entry.publishers.delete(publisher);
    result =
      publishers.size === 0
        ? result.delete(library.hash())
        : result.set(library.hash(), { library: entry.library, publishers });
  }
  for (const [key, library] of after) {
    if (before.has(key)) continue;
    const entry = result.get(library.hash()) ?? { library, publishers: Trie.empty(PUBLISHERS) };
    result = result.set(library.hash(), { ...entry, publishers: entry.publishers.set(publisher, true) });
  }
  return result;
}
