import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { MsgAddressInt } from '../../ton/tlb/msg-address.ts';
import { LocalnetError } from '../localnet-error.ts';

/** A standard address without anycast: localnet has no other. */
export function standardAddress(address: MsgAddressInt): AccountAddress {
  if (address.kind !== 'std' || address.anycast !== null)
    throw new LocalnetError('address', 'a standard address without anycast', address.kind);
  return { workchain: address.workchain, address: address.address };
}
