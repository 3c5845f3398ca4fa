import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import type { AccountAddress } from '../store/store-address.ts';
import { loadMsgAddress } from '../tlb/msg-address.ts';

/** A standard address without anycast, or null for `addr_none`. @throws CellError value for any other */
export function standardOrNone(slice: CellSlice): AccountAddress | null {
  const { cell, bitPosition: bit } = slice;
  const found = loadMsgAddress(slice);
  if (found.kind === 'none') return null;
  if (found.kind === 'std' && !found.anycast)
    return { workchain: found.workchain, address: found.address.slice() };
  throw new CellError('value', { cell, bit, what: 'MsgAddress', expected: 'addr_std', found: found.kind });
}

/** A standard address without anycast. @throws CellError value for any other */
export function standard(slice: CellSlice): AccountAddress {
  const { cell, bitPosition: bit } = slice;
  const found = standardOrNone(slice);
  if (found) return found;
  throw new CellError('value', { cell, bit, what: 'MsgAddress', expected: 'addr_std', found: 'addr_none' });
}
