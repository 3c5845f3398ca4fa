/*
 * Facts of contracts for the rules of actions (v3-actions-rules.md). Addresses are raw text.
 */

/** Jetton wallet (TEP-74, `get_wallet_data`). */
export interface JettonWalletFact {
  readonly owner: string;
  /** Address of the jetton master. */
  readonly jetton: string;
}

/** NFT item (TEP-62, `get_nft_data`). */
export interface NftItemFact {
  readonly index: bigint;
  readonly collection: string | null;
  readonly owner: string | null;
  /** Content key `uri`; null if absent. */
  readonly contentUri: string | null;
  /** Hash of the account's code, base64; null if unknown. */
  readonly codeHash: string | null;
}

/** Fixed-price sale of an NFT. */
export interface NftSaleFact {
  readonly nft: string;
  readonly nftOwner: string | null;
  readonly marketplace: string | null;
  readonly fullPrice: bigint | null;
  readonly codeHash: string | null;
}

/** Auction of an NFT. */
export interface NftAuctionFact {
  readonly nft: string;
  readonly nftOwner: string | null;
  readonly marketplace: string | null;
  readonly lastBid: bigint | null;
  readonly codeHash: string | null;
}

/** Order of a multisig wallet v2. */
export interface MultisigOrderFact {
  readonly signers: readonly string[];
}

/** Two assets of an exchange's pool in its own order: a jetton master, or null for TON. */
export interface PoolFact {
  readonly assets: readonly [string | null, string | null];
}

/** Known facts of one account at classification time; a part that is absent does not apply to the account. */
export interface AccountFacts {
  readonly jettonWallet?: JettonWalletFact;
  readonly nftItem?: NftItemFact;
  /** Master or collection of a wallet or item of known code, if it does not name that code: the account is no token of it. */
  readonly unnamedBy?: string;
  readonly nftSale?: NftSaleFact;
  readonly nftAuction?: NftAuctionFact;
  readonly multisigOrder?: MultisigOrderFact;
  /** dedust, v1 and v2. */
  readonly pool?: PoolFact;
  /** Wallets of a dedust v2 pool whose assets are unknown as long as the master of a wallet is. */
  readonly poolWallets?: readonly string[];
  /** Hash of the account's code, base64. */
  readonly codeHash?: string;
  /** Root of the data cell as a bag, without references. Requested only for jvault stake wallets and pools. */
  readonly data?: Uint8Array;
  /** Lock wallet of a jvault pool, where it is known without reading `data`. */
  readonly lockWallet?: string;
}

/** Kinds of facts that are looked up together: `data` and `pool` if a rule asks for them, `account` for all others. */
export type FactSort = 'account' | 'data' | 'pool';
