/** Published sales and auctions of NFTs: their initial data, the transfer of an item to them, and their get methods. */
import { type Address, beginCell, Cell, toNano } from '@ton/core';

/** Fixed-price sale v3r3 and auction v3r2. */
export const SALE_CODE = '24221fa571e542e055c77bedfdbf527c7af460cfdc7f344c450787b4cfa1eb4d';
export const AUCTION_CODE = '1bd9c5a39bffb7a0f341588b5dd92b813a842bf65ef14109382200ceaf8f72df';

interface Offer {
  /** Also gets fees and royalty, and may cancel. */
  readonly market: Address;
  readonly item: Address;
  readonly createdAt: number;
}

/** For 3 TON; without an owner until the item arrives. */
export function saleInit(code: Cell, { market, item, createdAt }: Offer): { code: Cell; data: Cell } {
  const fees = beginCell()
    .storeAddress(market)
    .storeCoins(toNano('0.1'))
    .storeAddress(market)
    .storeCoins(toNano('0.2'));
  const data = beginCell()
    .storeBit(false)
    .storeUint(createdAt, 32)
    .storeAddress(market)
    .storeAddress(item)
    .storeAddress(null)
    .storeCoins(toNano('3'))
    .storeRef(fees.endCell())
    .storeUint(0, 32)
    .storeUint(0, 64);
  return { code, data: data.endCell() };
}

/** From 2 to 10 TON, by a tenth. */
export function auctionInit(
  code: Cell,
  { market, item, createdAt, endsAt }: Offer & { readonly endsAt: number },
): { code: Cell; data: Cell } {
  const fees = beginCell()
    .storeAddress(market)
    .storeUint(5, 32)
    .storeUint(100, 32)
    .storeAddress(market)
    .storeUint(7, 32)
    .storeUint(1_000, 32);
  const constants = beginCell()
    .storeUint(8_449_000, 32)
    .storeAddress(market)
    .storeCoins(toNano('2'))
    .storeCoins(toNano('10'))
    .storeCoins(10)
    .storeUint(300, 32)
    .storeAddress(item)
    .storeUint(createdAt, 32);
  const data = beginCell()
    .storeBit(false)
    .storeBit(false)
    .storeBit(false)
    .storeAddress(null)
    .storeCoins(0)
    .storeUint(0, 32)
    .storeUint(endsAt, 32)
    .storeAddress(null)
    .storeRef(fees.endCell())
    .storeRef(constants.endCell());
  return { code, data: data.endCell() };
}

/** Body that transfers an item to a sale and notifies it. */
export function handOver(to: Address, responseTo: Address): Cell {
  return beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(1, 64)
    .storeAddress(to)
    .storeAddress(responseTo)
    .storeBit(false)
    .storeCoins(toNano('0.2'))
    .storeBit(false)
    .endCell();
}

/** An entry of a stack as v2 answers it. */
export type StackEntry = readonly [type: string, value: unknown];

const FIXED_PRICE = 0x46495850n;

/** The fields of an NFTSale from `get_sale_data`. */
export function saidBySale(stack: readonly StackEntry[]): Record<string, unknown> {
  return integer(stack[0]) === FIXED_PRICE ? saidBySaleData(stack) : saidByAuction(stack);
}

function saidBySaleData(stack: readonly StackEntry[]): Record<string, unknown> {
  const [, complete, createdAt, market, item, owner, price, feeTo, fee, royaltyTo, royalty] = stack;
  return {
    type: 'getgems_sale',
    ...parties(item, owner, market),
    created_at: Number(integer(createdAt)),
    details: {
      is_complete: integer(complete) !== 0n,
      full_price: `${integer(price)}`,
      marketplace_fee_address: address(feeTo),
      marketplace_fee: `${integer(fee)}`,
      royalty_address: address(royaltyTo),
      royalty_amount: `${integer(royalty)}`,
    },
  };
}

function saidByAuction(stack: readonly StackEntry[]): Record<string, unknown> {
  const [, ended, endsAt, market, item, owner, bid, bidder, step, feeTo, factor, base, ...more] = stack;
  const [royaltyTo, royaltyFactor, royaltyBase, most, least, createdAt, bidAt, canceled] = more;
  return {
    type: 'getgems_auction',
    ...parties(item, owner, market),
    created_at: Number(integer(createdAt)),
    details: {
      end_flag: integer(ended) !== 0n,
      end_time: Number(integer(endsAt)),
      last_bid: `${integer(bid)}`,
      ...(address(bidder) !== null && { last_member: address(bidder) }),
      min_step: Number(integer(step)),
      mp_fee_address: address(feeTo),
      mp_fee_factor: Number(integer(factor)),
      mp_fee_base: Number(integer(base)),
      royalty_fee_address: address(royaltyTo),
      royalty_fee_factor: Number(integer(royaltyFactor)),
      royalty_fee_base: Number(integer(royaltyBase)),
      max_bid: `${integer(most)}`,
      min_bid: `${integer(least)}`,
      last_bid_at: Number(integer(bidAt)),
      is_canceled: integer(canceled) !== 0n,
    },
  };
}

/** An owner that is none yet is left out. */
function parties(
  item: StackEntry | undefined,
  owner: StackEntry | undefined,
  market: StackEntry | undefined,
) {
  const seller = address(owner);
  return {
    nft_address: address(item),
    ...(seller !== null && { nft_owner_address: seller }),
    marketplace_address: address(market),
  };
}

function integer(entry: StackEntry | undefined): bigint {
  const text = String(entry![1]);
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

function address(entry: StackEntry | undefined): string | null {
  const { bytes } = entry![1] as { bytes: string };
  return Cell.fromBase64(bytes).beginParse().loadMaybeAddress()?.toRawString().toUpperCase() ?? null;
}
