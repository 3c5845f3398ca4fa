import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat, call } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { itemAt, type NftItem } from './nft-items.ts';

const CHANGE_PRICE = 0x6c6c2080;
const GET_STATIC_DATA = 0x2fcb26a2;
const REPORT_STATIC_DATA = 0x8b771735;

/** An item whose contract was deployed. */
export interface NftMint {
  readonly item: NftItem;
  /** Who sent the deploying message: often the collection or a minter. */
  readonly owner: string | null;
  readonly opcode: number | null;
}

export const NFT_MINT: BlockKind<NftMint> = {
  name: 'nft_mint',
  type: 'nft_mint',
  columns: ({ item, owner, opcode }) => ({
    source: owner,
    destination: item.address,
    asset: item.collection,
    asset_secondary: item.address,
    opcode,
    nft_mint_data: { nft_item_index: item.index },
  }),
  details: ({ item, owner }) => ({
    owner: owner ?? undefined,
    nft_item: item.address,
    nft_collection: item.collection,
    nft_item_index: item.index,
  }),
};

function buildMint(block: Block, _found: Found, context: Context): Block {
  const { account } = block.first.transaction;
  const fact = needed(context.nftItem(account), `NFT item ${account}`);
  return context.merge({
    kind: NFT_MINT,
    parts: [block],
    data: { item: itemAt(account, fact), owner: block.source, opcode: block.opcode },
  });
}

/** An item that said what it is. */
interface NftDiscovery {
  readonly item: NftItem;
  readonly asker: string | null;
}

const NFT_DISCOVERY: BlockKind<NftDiscovery> = {
  name: 'nft_discovery',
  type: 'nft_discovery',
  columns: ({ item, asker }) => ({
    source: asker,
    asset: item.collection,
    asset_secondary: item.address,
    nft_transfer_data: { nft_item_index: item.index },
  }),
  details: ({ item, asker }) => ({
    source: asker,
    nft_item: item.address,
    nft_collection: item.collection,
    nft_item_index: item.index,
  }),
};

/** report_static_data#8b771735 query index:uint256 collection (TEP-62) */
function buildDiscovery(block: Block, found: Found, context: Context): Block {
  const report = found.get('report').body().skip(64);
  const index = report.big(256);
  return context.merge({
    kind: NFT_DISCOVERY,
    parts: [block, ...found.blocks],
    data: {
      item: { address: block.destination, index, collection: report.address() },
      asker: block.source,
    },
  });
}

/** New prices of a sale. */
interface SaleUpdate {
  readonly source: string | null;
  readonly sale: string | null;
  readonly nft: string;
  readonly marketplace: string | null;
  readonly fullPrice: bigint;
  readonly fee: bigint;
  readonly royalty: bigint;
}

const NFT_UPDATE_SALE: BlockKind<SaleUpdate> = {
  name: 'nft_update_sale',
  type: 'nft_update_sale',
  columns: ({ source, sale, nft, marketplace, fullPrice, fee, royalty }) => ({
    source,
    destination: sale,
    asset_secondary: nft,
    nft_listing_data: { full_price: fullPrice, royalty_amount: royalty, marketplace_fee: fee },
    nft_transfer_data: { marketplace_address: marketplace },
  }),
  details: ({ source, sale, nft, marketplace, fullPrice, fee, royalty }) => ({
    source,
    sale_contract: sale,
    nft_address: nft,
    marketplace_address: marketplace,
    marketplace: null,
    full_price: fullPrice,
    marketplace_fee: fee,
    royalty_amount: royalty,
  }),
  accounts: ({ nft }) => [nft],
};

/** query full_price:Coins marketplace_fee:Coins royalty_amount:Coins */
function buildUpdate(block: Block, _found: Found, context: Context): Block {
  const { nft, marketplace } = needed(context.nftSale(block.destination), `sale ${block.destination}`);
  const body = block.body().skip(64);
  const [fullPrice, fee, royalty] = [body.coins(), body.coins(), body.coins()];
  return context.merge({
    kind: NFT_UPDATE_SALE,
    parts: [block],
    failed: block.aborted,
    data: { source: block.source, sale: block.destination, nft, marketplace, fullPrice, fee, royalty },
  });
}

/**
 * nft_mint: any single block that deployed exactly one contract which is a known item; runs before all others.
 * nft_update_sale: 0x6c6c2080 to a known sale. nft_discovery: 0x2fcb26a2 answered by 0x8b771735.
 */
export const nftSingle: readonly Matcher[] = [
  {
    name: 'nft_mint',
    pattern: blockThat(({ first, isMerged }) => !isMerged && first.deploys, { build: buildMint }),
  },
  {
    name: 'nft_update_sale',
    after: ['dns_purchase'],
    pattern: call(CHANGE_PRICE, { build: buildUpdate }),
  },
  {
    name: 'nft_discovery',
    after: ['teleitem_cancel_auction'],
    pattern: call(GET_STATIC_DATA, {
      child: call(REPORT_STATIC_DATA, { label: 'report' }),
      build: buildDiscovery,
    }),
  },
];
