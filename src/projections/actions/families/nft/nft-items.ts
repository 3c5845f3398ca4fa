import type { NftItemFact } from '../../../../ton/contracts/account-facts.ts';
import type { Body } from '../../body/body.ts';
import type { Comment } from '../../body/text.ts';
import { readComment } from '../../body/text.ts';
import type { Columns, Fields } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';

const FRAGMENT_CONTENT = 'https://nft.fragment.com';
const TON_DNS_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=';
const TON_DNS_COLLECTION = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF';

/** Whether an item is a user name or number of Fragment, which holds its auctions itself. */
export function isFragmentItem(item: NftItemFact | null): item is NftItemFact {
  return item?.contentUri?.includes(FRAGMENT_CONTENT) ?? false;
}

/** Whether an item is a domain under `.ton`. */
export function isTonDomain(item: NftItemFact | null): item is NftItemFact {
  return item !== null && (item.codeHash === TON_DNS_CODE || item.collection === TON_DNS_COLLECTION);
}

/** An item as actions name it. */
export interface NftItem {
  readonly address: string | null;
  readonly index: bigint | null;
  readonly collection: string | null;
}

/** The item at an address with what is known of it. */
export function itemAt(address: string | null, fact: NftItemFact | null): NftItem {
  return { address, index: fact?.index ?? null, collection: fact?.collection ?? null };
}

/** A payment of a purchase to an account. */
export interface Payout {
  readonly amount: bigint;
  readonly address: string | null;
  readonly comment: Comment | null;
}

/** An item that changed its owner. */
export interface NftTransfer {
  readonly item: NftItem;
  readonly oldOwner: string | null;
  readonly newOwner: string | null;
  readonly queryId: bigint;
  readonly responseDestination: string | null;
  /** Bag of cells in base64. */
  readonly customPayload: string | null;
  readonly forwardAmount: bigint | null;
  readonly forwardPayload: Body | null;
  /** null: not a purchase. */
  readonly purchase: NftPurchase | null;
  /** The place of the bid that a hand-over names, also to the first owner. */
  readonly bidOn?: 'fragment';
}

/** How an item was bought. */
export interface NftPurchase {
  readonly price: bigint | null;
  readonly marketplace: 'getgems' | 'fragment';
  readonly marketplaceAddress: string | null;
  /** The seller of a sale or an auction. */
  readonly realOldOwner: string | null;
  readonly payout: Payout | null;
  readonly royalty: Payout | null;
}

function transferData({ item, purchase, ...one }: NftTransfer): Fields {
  const payout = purchase?.payout;
  return {
    query_id: one.queryId,
    is_purchase: purchase !== null,
    price: purchase?.price ?? null,
    nft_item_index: item.index,
    forward_amount: one.forwardAmount,
    custom_payload: one.customPayload,
    forward_payload: one.forwardPayload?.toBoc() ?? null,
    response_destination: one.responseDestination,
    marketplace: purchase?.marketplace ?? one.bidOn ?? null,
    marketplace_address: purchase?.marketplaceAddress ?? null,
    real_prev_owner: purchase?.realOldOwner ?? null,
    payout_amount: payout?.amount ?? null,
    payout_comment: payout?.comment?.text ?? null,
    payout_comment_encrypted: payout?.comment?.isEncrypted ?? null,
    payout_comment_encoded: payout?.comment ? false : null,
    royalty_amount: purchase?.royalty?.amount ?? null,
  };
}

function columns(one: NftTransfer): Columns {
  return {
    source: one.oldOwner,
    destination: one.newOwner,
    asset: one.item.collection,
    asset_secondary: one.item.address,
    nft_transfer_data: transferData(one),
  };
}

function transferColumns(one: NftTransfer): Columns {
  const { payout, royalty } = one.purchase ?? {};
  return {
    ...columns(one),
    nft_listing_data: {
      marketplace_fee_address: payout?.address ?? null,
      royalty_address: royalty?.address ?? null,
    },
  };
}

function details(one: NftTransfer): Fields {
  const { real_prev_owner, ...data } = transferData(one);
  const { forwardPayload, purchase } = one;
  const comment = forwardPayload && readComment(forwardPayload);
  return {
    ...data,
    nft_collection: one.item.collection,
    nft_item: one.item.address,
    old_owner: one.oldOwner ?? undefined,
    new_owner: one.newOwner,
    price: purchase?.price ?? undefined,
    real_old_owner: real_prev_owner,
    payout_address: purchase?.payout?.address ?? null,
    royalty_address: purchase?.royalty?.address ?? null,
    comment: comment?.text ?? null,
    is_encrypted_comment: comment?.isEncrypted ?? null,
    // The names that the server shows are in a list of its own, which is not public.
    marketplace: null,
  };
}

export const NFT_TRANSFER: BlockKind<NftTransfer> = {
  name: 'nft_transfer',
  type: 'nft_transfer',
  columns: transferColumns,
  details,
};

export const NFT_PURCHASE: BlockKind<NftTransfer> = {
  name: 'nft_purchase',
  type: 'nft_purchase',
  columns,
  details,
};

/** The transfer of a block that moved an item, by purchase or not; null for others. */
export function getItemMove(block: Block): NftTransfer | null {
  return block.is(NFT_TRANSFER) || block.is(NFT_PURCHASE) ? block.data : null;
}
