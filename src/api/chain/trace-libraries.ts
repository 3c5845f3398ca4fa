import { type Boc, LIBRARY, parseBoc } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { fromBase64, toBase64 } from '../../ton/hash/base64.ts';
import { libraryDictionary } from '../../tvm/library-dictionary.ts';
import { cellKey, readCompleteCells } from '../entities/accounts/cell-index.ts';
import type { ReadScope } from '../query/scope.ts';
import { notHeld } from './need-chain.ts';

/** A library cell: its type, then the target's hash. */
const HASH_AT = 1;
const HASH_BYTES = 32;
/** Libraries of one trace, and how deep they may name others. */
const MAX_LIBRARIES = 64;
const MAX_ROUNDS = 4;

/**
 * Libraries that states and messages of a trace name, from the states of the store, for a server without a chain. The
 * emulator does
 * not report which library a transaction lacked, so all named ones are looked up before. The hash proves the cell;
 * publication is not checked.
 */
export class TraceLibraries {
  readonly #cells = new Map<string, Cell>();
  readonly #requested = new Set<string>();
  #dictionary: string | null = null;

  /** As the emulator takes them; null for none. */
  get dictionary(): string | null {
    return this.#dictionary;
  }

  /** Looks up what the cells of a bag (base64) name. */
  async add(scope: ReadScope, text: string): Promise<void> {
    const before = this.#cells.size;
    let named = libraryKeys(parseBoc(fromBase64(text)!));
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const wanted = [...named]
        .filter((key) => !this.#requested.has(key))
        .slice(0, MAX_LIBRARIES - this.#requested.size);
      if (wanted.length === 0) break;
      for (const key of wanted) this.#requested.add(key);
      const found = await readCompleteCells(scope, wanted, []);
      for (const [key, cell] of found) this.#cells.set(key, cell);
      named = new Set([...found.values()].flatMap((cell) => [...libraryKeys(parseBoc(writeBag(cell)))]));
    }
    if (this.#cells.size > before) this.#dictionary = libraryDictionary(this.#cells.values());
  }

  /** @throws HttpError a code is a library that the store has not: nothing can be said of what it would do */
  require(boc: Boc, code: number): void {
    if (code < 0 || boc.type[code] !== LIBRARY) return;
    const hash = getLibraryHash(boc, code);
    if (!this.#cells.has(cellKey(hash))) throw notHeld(`library ${toBase64(hash)} is not stored`);
  }
}

/** `Cell.key` of the targets of a bag's library cells. */
function libraryKeys(boc: Boc): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let cell = 0; cell < boc.cellCount; cell++)
    if (boc.type[cell] === LIBRARY) keys.add(cellKey(getLibraryHash(boc, cell)));
  return keys;
}

function getLibraryHash({ bytes, dataStart }: Boc, cell: number): Uint8Array {
  const from = (dataStart[cell] as number) + HASH_AT;
  return bytes.subarray(from, from + HASH_BYTES);
}
