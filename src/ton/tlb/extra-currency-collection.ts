import type { Boc } from '../boc/boc.ts';
import { forEachLeaf } from '../boc/hashmap.ts';

/** Extra currencies: id, amount; ids ascending. */
export type ExtraCurrencies = readonly (readonly [id: number, amount: bigint])[];

export const NO_CURRENCIES: ExtraCurrencies = [];

// extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
//
// From the root cell of the dictionary.
export function loadExtraCurrencyDict(boc: Boc, root: number): ExtraCurrencies {
  const entries: (readonly [number, bigint])[] = [];
  forEachLeaf(boc, root, 32, (key, value) => {
    const id = new DataView(key.buffer, key.byteOffset).getUint32(0);
    entries.push([id, value.varUint(5)]);
    value.end('ExtraCurrencyCollection');
  });
  return entries;
}
