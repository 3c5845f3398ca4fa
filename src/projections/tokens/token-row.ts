import type { ContentFact, TokenState } from '../../ton/contracts/token-state.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';

/** A row of `token_states`: the last known state of a token contract. */
export interface TokenRow extends Pick<TokenState, 'kind' | 'amount' | 'flag' | 'owner' | 'parent' | 'link'> {
  readonly position: number;
  readonly account: AccountAddress;
  readonly lt: bigint;
  /** The position at which it was first seen. */
  readonly since: number;
  readonly isGone: boolean;
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
  readonly childCode: Uint8Array;
  /** `json` null: the store does not have the cell. */
  readonly content: ContentFact | null;
}

export function isSameAccount(a: AccountAddress | null, b: AccountAddress | null): boolean {
  return a === b || (a !== null && b !== null && toAccountName(a) === toAccountName(b));
}
