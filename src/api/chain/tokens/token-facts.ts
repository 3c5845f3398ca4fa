import type { TokenContent } from '../../../ton/contracts/tokens/token-content.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { DnsContent } from './dns-content.ts';

/** Answers of a token contract's get methods, checked with its master or collection. */
export type TokenData =
  | {
      readonly kind: 'jetton_master';
      readonly totalSupply: bigint;
      readonly mintable: boolean;
      readonly admin: AccountAddress | null;
      readonly content: TokenContent;
      /** A bag of cells. */
      readonly walletCode: Uint8Array;
    }
  | {
      readonly kind: 'jetton_wallet';
      readonly balance: bigint;
      readonly owner: AccountAddress;
      readonly master: AccountAddress;
      readonly walletCode: Uint8Array;
      /** null if the wallet is not of a mintless jetton. */
      readonly isClaimed: boolean | null;
    }
  | {
      readonly kind: 'nft_collection';
      readonly nextIndex: bigint;
      readonly owner: AccountAddress | null;
      readonly content: TokenContent;
    }
  | {
      readonly kind: 'nft_item';
      readonly isInit: boolean;
      readonly index: bigint;
      readonly collection: AccountAddress | null;
      readonly owner: AccountAddress | null;
      readonly content: TokenContent | DnsContent;
    };
