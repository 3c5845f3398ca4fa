import { formatRaw } from '../address/address.ts';
import { onlyRoot, parseBoc } from '../boc/boc.ts';
import { BocError } from '../boc/boc-error.ts';
import { CellError } from '../boc/cell-error.ts';
import { CellSlice } from '../boc/cell-slice.ts';

/** Log in which a pool of dedust says what it has swapped. */
export const SWAP_LOG = 0x9c610de3;

/** native$0000 = Asset; jetton$0001 workchain_id:int8 address:uint256 = Asset; null for TON. @throws CellError */
export function loadAsset(slice: CellSlice): string | null {
  if (slice.uint(4) === 0) return null;
  const workchain = slice.int(8);
  return formatRaw(workchain, slice.bytes(32));
}

/**
 * Assets of a pool by its log of a swap, a bag: swap#9c610de3 asset_in asset_out …; null for a log of another contract that begins
 * the same.
 */
export function assetsOfSwap(log: Uint8Array): readonly [string | null, string | null] | null {
  try {
    const boc = parseBoc(log);
    const slice = new CellSlice(boc, onlyRoot(boc));
    slice.skipBits(32);
    return [loadAsset(slice), loadAsset(slice)];
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}
