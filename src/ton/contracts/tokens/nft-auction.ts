import { CellSlice } from '../../boc/cell-slice.ts';
import {
  type ContractDetails,
  type ContractState,
  NO_NAME,
  type ReadContract,
  rawField,
} from '../contract-state.ts';
import { standardOrNone } from '../read-fields.ts';

/**
 * First auction of an NFT (`get_sale_data`).
 *
 *     bids#_ min_bid:Coins max_bid:Coins min_step:Coins last_member:MsgAddress last_bid:Coins last_bid_at:uint32
 *       end_time:uint32 step_time:uint32 try_step_time:uint32 = Bids;
 *     nft#_ nft_owner:MsgAddress nft:MsgAddress = AuctionedNft;
 *     _ end:Bool marketplace:MsgAddress activated:Bool created_at:uint32 is_canceled:Bool fees:^AuctionFees bids:^Bids
 *       nft:^AuctionedNft = AuctionDataV1;
 */
export const readAuctionV1: ReadContract = ({ boc, data }) => {
  const slice = new CellSlice(boc, data);
  const isEnded = slice.bit();
  const marketplace = rawField(slice);
  slice.skipBits(1);
  const createdAt = slice.uint(32);
  const isCanceled = slice.bit();
  const fees = auctionFees(new CellSlice(boc, slice.ref()));
  const bids = new CellSlice(boc, slice.ref());
  const [minBid, maxBid, minStep] = [bids.coins(), bids.coins(), bids.coins()];
  const last = lastBid(bids);
  const item = new CellSlice(boc, slice.ref());
  const owner = standardOrNone(item);
  return auction(standardOrNone(item), owner, {
    end_flag: isEnded,
    ...last,
    marketplace_address: marketplace,
    min_step: minStep.toString(),
    ...fees,
    max_bid: maxBid.toString(),
    min_bid: minBid.toString(),
    created_at: createdAt,
    is_canceled: isCanceled,
  });
};

/**
 * Auction of an NFT, versions 2 and 3r2 (`get_sale_data`); the step of the latter is in percent.
 *
 *     const#_ sub_gas_price:uint32 marketplace:MsgAddress min_bid:Coins max_bid:Coins min_step:Coins step_time:uint32
 *       nft:MsgAddress created_at:uint32 = AuctionConst;
 *     _ end:Bool activated:Bool is_canceled:Bool last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32
 *       nft_owner:MsgAddress fees:^AuctionFees const:^AuctionConst = AuctionData;
 */
export const readAuction: ReadContract = ({ boc, data }) => {
  const slice = new CellSlice(boc, data);
  const isEnded = slice.bit();
  slice.skipBits(1);
  const isCanceled = slice.bit();
  const last = lastBid(slice);
  const owner = standardOrNone(slice);
  const fees = auctionFees(new CellSlice(boc, slice.ref()));
  const fixed = new CellSlice(boc, slice.ref());
  fixed.skipBits(32);
  const marketplace = rawField(fixed);
  const [minBid, maxBid, minStep] = [fixed.coins(), fixed.coins(), fixed.coins()];
  fixed.skipBits(32);
  const nft = standardOrNone(fixed);
  return auction(nft, owner, {
    end_flag: isEnded,
    ...last,
    marketplace_address: marketplace,
    min_step: minStep.toString(),
    ...fees,
    max_bid: maxBid.toString(),
    min_bid: minBid.toString(),
    created_at: fixed.uint(32),
    is_canceled: isCanceled,
  });
};

/**
 * Auction of an NFT, version 4 (`get_auction_data_v4`). A jetton follows the constants if bids are in a jetton.
 *
 *     fees#_ mp_fee_address:MsgAddress royalty_address:MsgAddress mp_fee_factor:uint32 mp_fee_base:uint32
 *       royalty_factor:uint32 royalty_base:uint32 = AuctionFeesV4;
 *     const#_ marketplace:MsgAddress min_bid:Coins max_bid:Coins min_step:uint7 step_time:uint17 nft:MsgAddress
 *       created_at:uint32 = AuctionConstV4;
 *     _ end:Bool is_canceled:Bool last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32
 *       nft_owner:MsgAddress last_query_id:uint64 fees:^AuctionFeesV4 const:^AuctionConstV4 jetton:(Maybe ^Cell)
 *       = AuctionDataV4;
 */
export const readAuctionV4: ReadContract = ({ boc, data }) => {
  const slice = new CellSlice(boc, data);
  const isEnded = slice.bit();
  const isCanceled = slice.bit();
  const last = lastBid(slice);
  const owner = standardOrNone(slice);
  slice.skipBits(64);
  const fees = auctionFeesV4(new CellSlice(boc, slice.ref()));
  const fixed = new CellSlice(boc, slice.ref());
  const marketplace = rawField(fixed);
  const [minBid, maxBid] = [fixed.coins(), fixed.coins()];
  const minStep = fixed.uint(7);
  fixed.skipBits(17);
  const nft = standardOrNone(fixed);
  return auction(nft, owner, {
    end_flag: isEnded,
    ...last,
    marketplace_address: marketplace,
    min_step: minStep.toString(),
    ...fees,
    max_bid: maxBid.toString(),
    // With a bid, its get method answers what the next one must be at least.
    ...(last.last_member === null && { min_bid: minBid.toString() }),
    created_at: fixed.uint(32),
    is_canceled: isCanceled,
  });
};

// last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32
function lastBid(slice: CellSlice): ContractDetails {
  return {
    last_member: rawField(slice),
    last_bid: slice.coins().toString(),
    last_bid_at: slice.uint(32),
    end_time: slice.uint(32),
  };
}

// fees#_ mp_fee_address:MsgAddress mp_fee_factor:uint32 mp_fee_base:uint32 royalty_address:MsgAddress
//   royalty_factor:uint32 royalty_base:uint32 = AuctionFees;
function auctionFees(slice: CellSlice): ContractDetails {
  return {
    mp_fee_address: rawField(slice),
    mp_fee_factor: slice.uint(32),
    mp_fee_base: slice.uint(32),
    royalty_fee_address: rawField(slice),
    royalty_fee_factor: slice.uint(32),
    royalty_fee_base: slice.uint(32),
  };
}

function auctionFeesV4(slice: CellSlice): ContractDetails {
  return {
    mp_fee_address: rawField(slice),
    royalty_fee_address: rawField(slice),
    mp_fee_factor: slice.uint(32),
    mp_fee_base: slice.uint(32),
    royalty_fee_factor: slice.uint(32),
    royalty_fee_base: slice.uint(32),
  };
}

function auction(
  nft: ContractState['parent'],
  owner: ContractState['owner'],
  details: ContractDetails,
): ContractState {
  return { ...NO_NAME, kind: 'nft_auction', owner, parent: nft, details };
}
