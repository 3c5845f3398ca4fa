import { bad, bit, skipBits, uint } from '../bags/cursor';

/**
 *     interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
 *     interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
 *     interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
 */
export function skipIntermediateAddress(): void {
  if (!bit()) {
    const bits = uint(7);
    if (bits > 96) bad('IntermediateAddress.use_dest_bits', 96, bits);
    return;
  }
  skipBits(bit() ? 32 + 64 : 8 + 64);
}
