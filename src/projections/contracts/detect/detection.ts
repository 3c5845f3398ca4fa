import type { TokenKind, TokenState } from '../../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { methodId } from '../../../ton/tvm/get-method.ts';

/** Get methods whose answers make a contract a token of a kind (v3-rules.md 6). */
export const TOKEN_METHODS: Readonly<Record<TokenKind, string>> = {
  jetton_master: 'get_jetton_data',
  jetton_wallet: 'get_wallet_data',
  nft_collection: 'get_collection_data',
  nft_item: 'get_nft_data',
};

/** Kinds that a code with these methods may be. */
export function kindsOfMethods(ids: readonly number[]): TokenKind[] {
  const has = new Set(ids);
  return Object.entries(TOKEN_METHODS).flatMap(([kind, name]) =>
    has.has(methodId(name)) ? [kind as TokenKind] : [],
  );
}

/** An account that is to be looked at, as it stands. */
export interface Candidate {
  readonly account: AccountAddress;
  readonly position: number;
  readonly lt: bigint;
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
  /** It is alive under a code that is queued. */
  readonly isQueued: boolean;
  /** It is an item under a known code, of a collection that its get methods alone tell. */
  readonly isKnownItem: boolean;
}

/** What a contract says of itself, confirmed by its master or collection. */
export type DetectedToken = Pick<
  TokenState,
  'kind' | 'amount' | 'flag' | 'owner' | 'parent' | 'childCode'
> & {
  /** JSON; null for none. */
  readonly content: string | null;
};

/** Whether an account is a token of a kind, or why not. */
export type DetectionOutcome = { readonly token: DetectedToken } | { readonly reason: string };

/**
 * Runs the get methods of a kind on the newest state of an account.
 * Null: it could not be tried now, and is to be tried again.
 */
export type DetectKind = (account: AccountAddress, kind: TokenKind) => Promise<DetectionOutcome | null>;
