import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { CellBuilder } from '../../cell/cell-builder.ts';
import { sameBytes } from '../../decode/same-bytes.ts';
import { type AccountAddress, storeAddress } from '../../store/store-address.ts';
import { contractAddress, getReference } from '../contract-address.ts';
import { type CompleteData, type ContractDetails, type ReadContract, rawField } from '../contract-state.ts';
import { standard, standardOrNone } from '../read-fields.ts';
import type { TokenState } from '../token-state.ts';
import { individualContent } from '../tokens/nft-item.ts';
import { readText } from '../tokens/token-content.ts';
import { readNameRecords } from './dns-records.ts';

/** Fields of an item that is in no auction (v3-rules.md 6: zeros and null). */
const NO_AUCTION: ContractDetails = {
  bidder_address: null,
  bid: '0',
  bid_ts: '0',
  min_bid: '0',
  end_time: 0,
  beneficiary_address: null,
  initial_min_bid: '0',
  max_bid: '0',
  min_bid_step: '0',
  min_extend_time: '0',
  duration: '0',
};

/** Parts of an item that its collection has begun; cells by index. */
interface TeleItem {
  readonly owner: AccountAddress | null;
  /** Content of the NFT (TEP-64). */
  readonly nftContent: number;
  /** Dictionary of DNS records, -1 for none. */
  readonly records: number;
  readonly tokenInfo: number;
  /** -1 for none. */
  readonly auction: number;
  readonly royalty: number;
}

/** The collection of an item. */
interface TeleConfig {
  readonly index: bigint;
  readonly collection: AccountAddress;
}

/**
 * Username of Telegram (TelegramMessenger/telemint): an NFT, a name and its own auction.
 *
 *     teleitem_config$_ item_index:bits256 collection_address:MsgAddressInt = TeleitemConfig;
 *     teleitem_content$_ nft_content:^Cell dns:DNS_RecordSet token_info:^TelemintTokenInfo = TeleitemContent;
 *     teleitem_state$_ owner_address:MsgAddressInt content:^TeleitemContent auction:(Maybe ^TeleitemAuction)
 *       royalty_params:^NftRoyaltyParams = TeleitemState;
 *     teleitem_data$_ config:^TeleitemConfig state:(Maybe ^TeleitemState) = TeleitemData;
 */
export const readTeleItem: ReadContract = (cells) => {
  const { boc } = cells;
  const slice = new CellSlice(boc, cells.data);
  const config = readConfig(cells, slice.ref());
  const state = slice.maybeRef();
  if (!config || state < 0) return null;
  const item = itemParts(boc, new CellSlice(boc, state));
  const info = new CellSlice(boc, item.tokenInfo);
  const name = readText(telemintText(info));
  const { wallet, details } = readNameRecords(boc, item.records);
  return {
    kind: 'teleitem',
    owner: item.owner,
    parent: config.collection,
    domain: buildDomain(telemintText(info), name),
    wallet,
    bidder: null,
    details: {
      token_name: name,
      ...(item.auction < 0 ? NO_AUCTION : auctionDetails(boc, new CellSlice(boc, item.auction))),
      ...royaltyDetails(new CellSlice(boc, item.royalty)),
      ...details,
    },
    token: buildToken(cells, config, item),
  };
};

/**
 * null if the item's address is not the one that its collection computes: it is deployed with its config and no state.
 */
function readConfig(cells: CompleteData, config: number): TeleConfig | null {
  const slice = new CellSlice(cells.boc, config);
  const [index, collection] = [slice.bigUint(256), standard(slice)];
  const { hash, depth } = getReference(cells, config);
  const first = contractAddress(cells.code, new CellBuilder().bit(false), [{ hash, depth }]);
  const own = new CellBuilder().bigUint(index, 256).with(storeAddress, collection).cell();
  return sameBytes(first, cells.account.address) && sameBytes(own.hash(), hash)
    ? { index, collection }
    : null;
}

function itemParts(boc: Boc, slice: CellSlice): TeleItem {
  const owner = standardOrNone(slice);
  const content = new CellSlice(boc, slice.ref());
  const auction = slice.maybeRef();
  const royalty = slice.ref();
  const nftContent = content.ref();
  const records = content.maybeRef();
  return { owner, nftContent, records, tokenInfo: content.ref(), auction, royalty };
}

function buildToken(cells: CompleteData, { index, collection }: TeleConfig, item: TeleItem): TokenState {
  return {
    kind: 'nft_item',
    amount: index,
    flag: true,
    owner: item.owner,
    parent: collection,
    childCode: cells.code.hash,
    ...individualContent(cells, item.nftContent),
  };
}

// telemint_text$_ len:(## 8) text:(bits (len * 8)) = TelemintText;
function telemintText(slice: CellSlice): Uint8Array {
  return slice.bytes(slice.uint(8)).slice();
}

/** `get_full_domain` is `me`, `t` and the name, each ended by a zero byte: `name.t.me`. */
function buildDomain(zone: Uint8Array, name: string | null): string {
  const text = readText(zone);
  if (!name || !text) return '';
  return [...text.split('\0').filter((label) => label !== ''), name].toReversed().join('.');
}

// teleitem_auction$_ state:^TeleitemAuctionState config:^TeleitemAuctionConfig = TeleitemAuction;
// teleitem_auction_state$_ last_bid:(Maybe ^TeleitemLastBid) min_bid:Grams end_time:uint32 = TeleitemAuctionState;
// teleitem_last_bid$_ bidder_address:MsgAddressInt bid:Grams bid_ts:uint32 = TeleitemLastBid;
// teleitem_auction_config$_ beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8
//   min_extend_time:uint32 duration:uint32 = TeleitemAuctionConfig;
function auctionDetails(boc: Boc, auction: CellSlice): ContractDetails {
  const state = new CellSlice(boc, auction.ref());
  const config = new CellSlice(boc, auction.ref());
  const last = state.maybeRef();
  const bid = last < 0 ? null : new CellSlice(boc, last);
  return {
    bidder_address: bid && rawField(bid),
    bid: (bid ? bid.coins() : 0n).toString(),
    bid_ts: (bid ? bid.uint(32) : 0).toString(),
    min_bid: state.coins().toString(),
    end_time: state.uint(32),
    beneficiary_address: rawField(config),
    initial_min_bid: config.coins().toString(),
    max_bid: config.coins().toString(),
    min_bid_step: config.uint(8).toString(),
    min_extend_time: config.uint(32).toString(),
    duration: config.uint(32).toString(),
  };
}

// nft_royalty_params#_ numerator:uint16 denominator:uint16 destination:MsgAddress = NftRoyaltyParams;
function royaltyDetails(slice: CellSlice): ContractDetails {
  return {
    royalty_numerator: slice.uint(16),
    royalty_denominator: slice.uint(16),
    royalty_destination: rawField(slice),
  };
}
