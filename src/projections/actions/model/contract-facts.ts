import { isUnknownCode } from '../../../ton/contracts/unknown-code.ts';

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
  /** Hash of the account's code, base64. */
  readonly codeHash?: string;
  /** Root of the data cell as a bag, without references. Requested only for jvault stake wallets and pools. */
  readonly data?: Uint8Array;
  /** Lock wallet of a jvault pool, where it is known without reading `data`. */
  readonly lockWallet?: string;
}

/** True if the account's code is known to be none whose data is read from cells. */
export function hasCustomCode(facts: AccountFacts | null): boolean {
  return facts?.codeHash !== undefined && isUnknownCode(Buffer.from(facts.codeHash, 'base64'));
}

/**
 * Facts by account address (raw text, upper case), from the newest indexed state. Rules also ask for accounts that only
 * bodies name, so the accounts of a trace's transactions are not enough: see `LoadedFacts`.
 */
export interface ContractFacts {
  /** null: nothing is known of the account. */
  of(address: string): AccountFacts | null;
  /** `AccountFacts.data`, which is rare and is looked up separately; null: unknown. */
  getData(address: string): Uint8Array | null;
  /** `AccountFacts.pool`, likewise. */
  getPool(address: string): PoolFact | null;
}

/** Kinds of facts that are looked up together: `data` and `pool` if a rule asks for them, `account` for all others. */
export type FactSort = 'account' | 'data' | 'pool';

/** Facts with a separate source for each kind. `find`: null if nothing is known. */
export function factsBySort(find: (sort: FactSort, address: string) => AccountFacts | null): ContractFacts {
  return {
    of: (address) => find('account', address),
    getData: (address) => find('data', address)?.data ?? null,
    getPool: (address) => find('pool', address)?.pool ?? null,
  };
}

/**
 * Facts that were looked up beforehand. Accounts that are asked for and were not looked up are noted in `missing`: look
 * them up, add them and classify again, until nothing is missing.
 */
export class LoadedFacts implements ContractFacts {
  /** Requested accounts that were not looked up yet. */
  readonly missing: Set<string> = new Set();
  private readonly known: Map<string, AccountFacts | null>;

  /** `known`: facts that were looked up so far, as `add` takes them. */
  constructor(known: Iterable<readonly [string, AccountFacts | null]> = []) {
    this.known = new Map(known);
  }

  /** `facts` null: looked up, nothing found. */
  add(address: string, facts: AccountFacts | null): void {
    this.known.set(address, facts);
    this.missing.delete(address);
  }

  of(address: string): AccountFacts | null {
    const found = this.known.get(address);
    if (found === undefined) this.missing.add(address);
    return found ?? null;
  }

  getData(address: string): Uint8Array | null {
    return this.of(address)?.data ?? null;
  }

  getPool(address: string): PoolFact | null {
    return this.of(address)?.pool ?? null;
  }
}
