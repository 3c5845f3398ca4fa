import { type Static, Type } from 'typebox';
import { Described, DescribedPage } from './address-book.ts';
import { Address, Amount, Hash, Lt, NamedAddress, nullable } from './common.ts';
import { ContentSchema, FORWARD_FIELDS, TRANSFER_FIELDS } from './jetton.ts';

export const NftCollectionSchema = Type.Object({
  address: Address,
  owner_address: nullable(Address),
  last_transaction_lt: Lt,
  next_item_index: Type.String({ description: 'decimal; -1: items have no order' }),
  collection_content: ContentSchema,
  data_hash: Hash,
  code_hash: Hash,
});
export type NftCollectionAnswer = Static<typeof NftCollectionSchema>;

export const NftCollectionsSchema = Type.Object({
  nft_collections: Type.Array(NftCollectionSchema),
  ...DescribedPage,
});
export type NftCollectionsAnswer = Static<typeof NftCollectionsSchema>;

export const NftItemSchema = Type.Object({
  address: Address,
  init: Type.Boolean(),
  index: Type.String({ description: 'decimal' }),
  collection_address: nullable(Address),
  owner_address: nullable(Address),
  content: ContentSchema,
  last_transaction_lt: Lt,
  code_hash: Hash,
  data_hash: Hash,
  collection: nullable(NftCollectionSchema),
  on_sale: Type.Boolean({ description: 'the owner is a sale or an auction of this item' }),
  sale_contract_address: Type.Optional(Address),
  auction_contract_address: Type.Optional(Address),
  real_owner: Type.Optional(Address),
});
export type NftItemAnswer = Static<typeof NftItemSchema>;

export const NftItemsSchema = Type.Object({
  nft_items: Type.Array(NftItemSchema),
  ...DescribedPage,
});
export type NftItemsAnswer = Static<typeof NftItemsSchema>;

export const NftTransferSchema = Type.Object({
  ...TRANSFER_FIELDS,
  ...FORWARD_FIELDS,
  nft_address: Address,
  nft_collection: Address,
  old_owner: Address,
  new_owner: NamedAddress,
  forward_amount: nullable(Amount),
});
export type NftTransferAnswer = Static<typeof NftTransferSchema>;

export const NftTransfersSchema = Type.Object({
  nft_transfers: Type.Array(NftTransferSchema),
  ...DescribedPage,
});
export type NftTransfersAnswer = Static<typeof NftTransfersSchema>;

/** v3-models.md section 10, NFTSale: fields that the kind lacks are omitted. */
export const NftSaleSchema = Type.Object({
  type: Type.String({ enum: ['getgems_sale', 'getgems_auction', 'telemint'] }),
  address: Address,
  nft_address: Type.Optional(Address),
  nft_owner_address: Type.Optional(Address),
  marketplace_address: Type.Optional(Address),
  created_at: Type.Optional(Type.Integer({ description: 'Unix time, seconds' })),
  last_transaction_lt: Type.Optional(Lt),
  code_hash: Type.Optional(Hash),
  data_hash: Type.Optional(Hash),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  nft_item: Type.Optional(NftItemSchema),
});
export type NftSaleAnswer = Static<typeof NftSaleSchema>;

export const NftSalesSchema = Type.Object({ nft_sales: Type.Array(NftSaleSchema), ...Described });
export type NftSalesAnswer = Static<typeof NftSalesSchema>;
