import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import type { AccountAddress } from '../store/store-address.ts';
import { rewriteAddress } from '../tlb/anycast.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';

/** Forms of an address that name no account: an external one, and one of variable length. */
export const UNNAMED_ADDRESSES = ['addr_extern', 'addr_var'] as const;
export type UnnamedAddress = (typeof UNNAMED_ADDRESSES)[number];

/** A `MsgAddress` of a contract: an account, the form of an address that names none, null for `addr_none`. */
export type NamedAddress = AccountAddress | UnnamedAddress | null;

/** Loads any `MsgAddress`, as `toNamed`. */
export function namedAddress(slice: CellSlice): NamedAddress {
  return toNamed(loadMsgAddress(slice));
}

/** Of a standard address the account that messages to it reach: an anycast prefix replaces its first bits. */
export function toNamed(found: MsgAddress): NamedAddress {
  switch (found.kind) {
    case 'none':
      return null;
    case 'extern':
      return 'addr_extern';
    case 'var':
      return 'addr_var';
    default:
      return {
        workchain: found.workchain,
        address: rewriteAddress(found.address, found.anycast).slice(),
      };
  }
}

/** The account of a standard address; null for one of another form, or for `addr_none`. */
export function standardOrNone(slice: CellSlice): AccountAddress | null {
  return toAccount(loadMsgAddress(slice));
}

/** As `standardOrNone`. */
export function toAccount(address: MsgAddress): AccountAddress | null {
  const found = toNamed(address);
  return typeof found === 'string' ? null : found;
}

/** The account of a standard address. @throws CellError value for any other */
export function standard(slice: CellSlice): AccountAddress {
  const { cell, bitPosition: bit } = slice;
  const found = namedAddress(slice);
  if (found !== null && typeof found !== 'string') return found;
  const other = found ?? 'addr_none';
  throw new CellError('value', { cell, bit, what: 'MsgAddress', expected: 'addr_std', found: other });
}
