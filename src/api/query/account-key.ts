import type { ParsedAddress } from '../../ton/address/address.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { AccountId } from './account-id.ts';
import type { ParameterValue } from './statement.ts';

/** An account as queries name it. */
export function accountId({ workchain, hash }: ParsedAddress): AccountId {
  return { workchain, hash: toHex(hash).toUpperCase() };
}

/** The key of the tables that are ordered by account. */
export const IS_ACCOUNT = 'account = unhex({account:String}) AND workchain = {account_workchain:Int32}';

/** The parameters of IS_ACCOUNT. */
export function accountParameters(address: ParsedAddress): Record<string, ParameterValue> {
  return { account: toHex(address.hash), account_workchain: address.workchain };
}
