import { LIBRARY } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { wellKnownCell } from '../../ton/contracts/codes/well-known-libraries.ts';
import { toHex } from '../../ton/hash/hex.ts';

/** Cells that a fork may publish. */
export interface LibraryInput {
  /** Cells of the accounts. */
  readonly accounts: readonly Cell[];
  /** Public libraries of masterchain states: all are published. */
  readonly published: readonly Cell[];
  /** Further cells by hash, lower-case hex: published if an account or another library refers to them. */
  readonly others: ReadonlyMap<string, Cell>;
}

export interface ForkLibraries {
  readonly libraries: readonly Cell[];
  /** Hashes that are referred to and that no cell has, lower-case hex. */
  readonly missing: readonly string[];
}

/** Follows the library cells below the accounts. A code that very many accounts of mainnet share needs no file. */
export function findLibraries({ accounts, published, others }: LibraryInput): ForkLibraries {
  const libraries = new Map(published.map((cell) => [toHex(cell.hash()), cell]));
  const missing = new Set<string>();
  const seen = new Set<Cell>();
  const path = [...accounts, ...published];
  for (let cell = path.pop(); cell; cell = path.pop()) {
    if (seen.has(cell)) continue;
    seen.add(cell);
    path.push(...cell.refs);
    if (cell.type !== LIBRARY) continue;
    const hash = toHex(cell.data.subarray(1));
    if (libraries.has(hash)) continue;
    const found = others.get(hash) ?? wellKnownCell(hash);
    if (found) {
      libraries.set(hash, found);
      path.push(found);
    } else missing.add(hash);
  }
  return { libraries: [...libraries.values()], missing: [...missing] };
}
