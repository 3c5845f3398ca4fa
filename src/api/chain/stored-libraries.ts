import { libraryDictionary } from '../../ton/tvm/library-dictionary.ts';
import { cellKey, readWholeCells } from '../read/read-cells.ts';
import type { ReadScope } from '../read/read-scope.ts';

/**
 * Libraries by their hashes (hex) out of the states of the store, as the emulator takes them; null where one of them is
 * in none. The hash proves the cell; whether an account publishes it at that block is not looked at.
 */
export async function readLibraries(scope: ReadScope, hashes: readonly string[]): Promise<string | null> {
  const keys = hashes.map((hash) => cellKey(Buffer.from(hash, 'hex')));
  const cells = await readWholeCells(scope, keys, []);
  return cells.size === new Set(keys).size ? libraryDictionary(cells.values()) : null;
}
