import type { Columns, Fields } from '../../model/action.ts';
import type { BlockKind } from '../../tree/block.ts';
import type { NftItem } from './nft-items.ts';

/** Money and time of an auction, from its initial data. */
export interface AuctionTerms {
  readonly feeAddress: string | null;
  readonly feeFactor: number;
  readonly feeBase: number;
  readonly royaltyAddress: string | null;
  readonly royaltyBase: number;
  readonly minBid: bigint;
  readonly maxBid: bigint;
}

/** An item that was put up for auction. */
export interface NftAuctionListing {
  readonly item: NftItem;
  readonly owner: string | null;
  /** Contract that the owner gave the item to, which listed it. */
  readonly listing: string | null;
  readonly auction: string | null;
  readonly marketplace: string | null;
  /** By its contracts: which kind of auction it is. */
  readonly soldOn: 'getgems' | 'fragment';
  readonly fees: AuctionTerms;
}

const NO_SALE = { full_price: null, marketplace_fee: null, royalty_amount: null };

export function auctionColumns({
  item,
  owner,
  listing,
  auction,
  marketplace,
  soldOn,
  fees,
}: NftAuctionListing): Columns {
  return {
    source: owner,
    source_secondary: listing,
    destination: auction,
    asset: item.collection,
    asset_secondary: item.address,
    nft_transfer_data: { marketplace_address: marketplace },
    nft_listing_data: {
      nft_item_index: item.index,
      ...NO_SALE,
      mp_fee_factor: fees.feeFactor,
      mp_fee_base: fees.feeBase,
      royalty_fee_base: fees.royaltyBase,
      max_bid: fees.maxBid,
      min_bid: fees.minBid,
      marketplace_fee_address: fees.feeAddress,
      royalty_address: fees.royaltyAddress,
      marketplace: soldOn,
    },
  };
}

/** Factors and bases are text in the answer, as amounts are. */
export function auctionDetails({ item, owner, listing, auction, fees }: NftAuctionListing): Fields {
  return {
    nft_collection: item.collection,
    nft_item: item.address,
    nft_item_index: item.index,
    owner,
    listing_address: listing,
    auction_address: auction,
    marketplace_address: null,
    marketplace_fee_factor: String(fees.feeFactor),
    marketplace_fee_base: String(fees.feeBase),
    royalty_fee_base: String(fees.royaltyBase),
    max_bid: fees.maxBid,
    min_bid: fees.minBid,
    marketplace_fee_address: fees.feeAddress,
    royalty_address: fees.royaltyAddress,
    marketplace: null,
  };
}

/** An item that was put up for sale at a fixed price. */
export interface NftSaleListing {
  readonly item: NftItem;
  readonly owner: string | null;
  readonly listing: string | null;
  readonly sale: string | null;
  readonly terms: SaleTerms;
}

/** Prices of a sale, from its initial data; null if the version does not contain them as amounts. */
export interface SaleTerms {
  readonly marketplace: string | null;
  readonly fullPrice: bigint;
  readonly feeAddress: string | null;
  readonly fee: bigint | null;
  readonly royaltyAddress: string | null;
  readonly royalty: bigint | null;
}

const NO_AUCTION = {
  mp_fee_factor: null,
  mp_fee_base: null,
  royalty_fee_base: null,
  max_bid: null,
  min_bid: null,
};

export const NFT_PUT_ON_SALE: BlockKind<NftSaleListing> = {
  name: 'nft_put_on_sale',
  type: 'nft_put_on_sale',
  columns: ({ item, owner, listing, sale, terms }) => ({
    source: owner,
    source_secondary: listing,
    destination: sale,
    asset: item.collection,
    asset_secondary: item.address,
    nft_transfer_data: { marketplace_address: terms.marketplace },
    nft_listing_data: {
      nft_item_index: item.index,
      full_price: terms.fullPrice,
      marketplace_fee: terms.fee,
      royalty_amount: terms.royalty,
      ...NO_AUCTION,
      marketplace_fee_address: terms.feeAddress,
      royalty_address: terms.royaltyAddress,
      marketplace: 'getgems',
    },
  }),
  details: ({ item, owner, listing, sale, terms }) => ({
    nft_collection: item.collection,
    nft_item: item.address,
    nft_item_index: item.index,
    owner,
    listing_address: listing,
    sale_address: sale,
    marketplace_address: null,
    full_price: terms.fullPrice,
    marketplace_fee: terms.fee,
    royalty_amount: terms.royalty,
    marketplace_fee_address: terms.feeAddress,
    royalty_address: terms.royaltyAddress,
    marketplace: null,
  }),
};

export const NFT_PUT_ON_AUCTION: BlockKind<NftAuctionListing> = {
  name: 'nft_put_on_auction',
  type: 'nft_put_on_auction',
  columns: auctionColumns,
  details: auctionDetails,
};

/** A sale or an auction that ended: the item went to `owner`. */
export interface NftClosing {
  readonly item: NftItem;
  readonly owner: string | null;
  readonly contract: string | null;
  readonly marketplace: string | null;
}

/** Parts that all kinds of an ended sale or auction share: by default the contract is shown as an auction. */
export const NFT_CLOSING: Omit<BlockKind<NftClosing>, 'name' | 'type'> = {
  columns: ({ item, owner, contract, marketplace }) => ({
    source: owner,
    destination: contract,
    asset: item.collection,
    asset_secondary: item.address,
    nft_transfer_data: { marketplace_address: marketplace },
  }),
  details: (one) => ({ ...closingDetails(one), auction_address: one.contract }),
  accounts: ({ item }) => [item.address],
};

/** Fields that do not depend on the kind of contract. */
export function closingDetails({ item, owner, marketplace }: NftClosing): Fields {
  return {
    owner,
    nft_item: item.address,
    nft_collection: item.collection,
    marketplace_address: marketplace,
    marketplace: null,
  };
}
