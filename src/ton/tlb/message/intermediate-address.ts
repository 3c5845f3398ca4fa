import type { CellSlice } from '../../boc/cell-slice.ts';
import { badValue } from '../tag.ts';

export type IntermediateAddress =
  | { readonly kind: 'regular'; readonly useDestBits: number }
  | { readonly kind: 'simple' | 'ext'; readonly workchain: number; readonly prefix: bigint };

// interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
// interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
// interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
export function loadIntermediateAddress(slice: CellSlice): IntermediateAddress {
  if (!slice.bit()) {
    const useDestBits = slice.uint(7);
    if (useDestBits > 96)
      throw badValue(slice, 'IntermediateAddress.use_dest_bits', 'at most 96', useDestBits);
    return { kind: 'regular', useDestBits };
  }
  if (!slice.bit()) return { kind: 'simple', workchain: slice.int(8), prefix: slice.u64() };
  return { kind: 'ext', workchain: slice.int(32), prefix: slice.u64() };
}
