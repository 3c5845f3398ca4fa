import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { findLeaf } from '../../ton/boc/find-leaf.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';

/** The cell of a configuration parameter; null if the configuration has none of this number. */
export function configParam(config: string, param: number): CellSlice | null {
  const boc = parseBoc(fromBase64(config)!);
  const key = { bytes: numberKey(param, 32), bits: 32 };
  const leaf = findLeaf(new CellSlice(boc, onlyRoot(boc)), key);
  return leaf && new CellSlice(boc, -1).resetAny(leaf.ref());
}
