import { libraryDictionary } from '../../tvm/library-dictionary.ts';
import { cellKey, readCompleteCells } from '../entities/accounts/cell-index.ts';
import type { ReadScope } from '../query/scope.ts';

/**
 * Libraries by their hashes (hex) from the states of the store, in the emulator's form; null if one of them is missing.
 * The hash proves the cell; whether it is published at that block is not checked.
 */
export async function readLibraries(scope: ReadScope, hashes: readonly string[]): Promise<string | null> {
  const keys = hashes.map((hash) => cellKey(Buffer.from(hash, 'hex')));
  const cells = await readCompleteCells(scope, keys, []);
  return cells.size === new Set(keys).size ? libraryDictionary(cells.values()) : null;
}
