import type { TokenKind } from '../token-state.ts';
import { methodId } from './method-id.ts';

/** Get methods by kind: a contract that has one of them may be of the kind. */
export type KindMethods<K extends string = string> = Readonly<Record<K, readonly string[]>>;

/** Get methods whose answers make a contract a token of a kind (v3-rules.md 6). */
export const TOKEN_METHODS: KindMethods<TokenKind> = {
  jetton_master: ['get_jetton_data'],
  jetton_wallet: ['get_wallet_data'],
  nft_collection: ['get_collection_data'],
  nft_item: ['get_nft_data'],
};

/** Contracts that sell an NFT, and items that sell themselves. */
export type SaleKind = 'nft_sale' | 'nft_auction' | 'teleitem';

/** Get methods of sales and auctions of an NFT. */
export const SALE_METHODS: KindMethods<SaleKind> = {
  nft_sale: ['get_sale_data', 'get_fix_price_data_v4'],
  nft_auction: ['get_auction_data_v4', 'get_sale_data'],
  teleitem: ['get_telemint_token_name'],
};

/** A wallet of several signers, and the orders that they sign. */
export type MultisigKind = 'multisig' | 'multisig_order';

/** Get methods of multisigs and orders. */
export const MULTISIG_METHODS: KindMethods<MultisigKind> = {
  multisig: ['get_multisig_data'],
  multisig_order: ['get_order_data'],
};

/** Get methods of names of the `.ton` zone; names of `.t.me` are Telegram items. */
export const NAME_METHODS: KindMethods<'dns_item'> = { dns_item: ['get_domain'] };

/** Kinds of contracts, other than tokens, that get methods identify. */
export type DetectedContractKind = SaleKind | MultisigKind | 'dns_item';

/** Returns the kinds that a code with these methods may be. */
export function kindsOfMethods<K extends string>(methods: KindMethods<K>, ids: readonly number[]): K[] {
  const has = new Set(ids);
  return (Object.keys(methods) as K[]).filter((kind) =>
    methods[kind].some((name) => has.has(methodId(name))),
  );
}
