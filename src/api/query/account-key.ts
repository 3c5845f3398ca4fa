import type { ParsedAddress } from '../../ton/address/address.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { AccountId } from './account-id.ts';

/** An account as queries name it. */
export function accountId({ workchain, hash }: ParsedAddress): AccountId {
  return { workchain, hash: toHex(hash).toUpperCase() };
}
