import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitCell } from '../../ton/store/store-state-init.ts';
import { NFT_AUCTION_CODE } from '../contracts/codes/nft-auction-code.ts';
import { NFT_SALE_CODE } from '../contracts/codes/nft-sale-code.ts';
import { codeCell } from '../genesis/genesis-code.ts';
import { ROYALTY } from '../genesis/genesis-nft.ts';

/** Terms that a sale and an auction share. */
export interface ListingTerms {
  readonly item: AccountAddress;
  /** Lists the item, and gets the fee. */
  readonly marketplace: AccountAddress;
  readonly royaltyTo: AccountAddress;
  /** Unix time. */
  readonly createdAt: number;
}

/** Bids of an auction, in nanotons, and its end in Unix time. */
export interface AuctionTerms {
  readonly minBid: bigint;
  /** A bid of so much buys the item at once. */
  readonly maxBid: bigint;
  readonly endTime: number;
}

/** The marketplace's part of a price. */
const FEE = { numerator: 2, denominator: 100 };
/** Least increase of a bid in percent, and the seconds by which a late bid extends the auction. */
const BID_STEP = 5;
const STEP_TIME = 60;
const SHARES = 100_000;

const noAddress = (builder: CellBuilder) => builder.uint(0b00, 2);
const toShare = ({ numerator, denominator }: typeof FEE) => (SHARES / denominator) * numerator;

/** Initial state of a sale (nft-sale.tolk, `readSaleV4`); its owner is set when the item comes. */
export function saleInit(terms: ListingTerms, price: bigint): Cell {
  const { item, marketplace, royaltyTo, createdAt } = terms;
  const fixed = new CellBuilder().with(storeAddress, marketplace).with(storeAddress, royaltyTo);
  fixed.uint(toShare(FEE), 17).uint(toShare(ROYALTY), 17).with(storeAddress, item).uint(createdAt, 32);
  const data = noAddress(new CellBuilder().bit(false).with(storeAddress, marketplace)).coins(price);
  data.uint(0, 32).u64(0n).ref(fixed.cell()).bit(false).bit(false);
  return stateInitCell(codeCell(NFT_SALE_CODE), data.cell());
}

/** Initial state of an auction (nft-auction.tolk, `readAuctionV4`); its owner is set when the item comes. */
export function auctionInit(terms: ListingTerms, { minBid, maxBid, endTime }: AuctionTerms): Cell {
  const { item, marketplace, royaltyTo, createdAt } = terms;
  const fees = new CellBuilder().with(storeAddress, marketplace).with(storeAddress, royaltyTo);
  for (const { numerator, denominator } of [FEE, ROYALTY]) fees.uint(numerator, 32).uint(denominator, 32);
  const fixed = new CellBuilder().with(storeAddress, marketplace).coins(minBid).coins(maxBid);
  fixed.uint(BID_STEP, 7).uint(STEP_TIME, 17).with(storeAddress, item).uint(createdAt, 32);
  const data = noAddress(new CellBuilder().bit(false).bit(false)).coins(0n).uint(0, 32).uint(endTime, 32);
  noAddress(data).u64(0n).ref(fees.cell()).ref(fixed.cell()).bit(false);
  return stateInitCell(codeCell(NFT_AUCTION_CODE), data.cell());
}
