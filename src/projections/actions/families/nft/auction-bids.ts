import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat } from '../../match/pattern.ts';
import { CALL_CONTRACT, TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { closingComment } from './closing-comment.ts';
import { isFragmentItem, isTonDomain, itemAt, type NftItem } from './nft-items.ts';
import { OUTBID_OP } from './nft-messages.ts';

const OUTBID_TEXT = 'Your bid has been outbid by another user';

/** An offer in an auction. */
interface AuctionBid {
  readonly item: NftItem;
  readonly bidder: string | null;
  readonly auction: string | null;
  readonly amount: bigint;
  readonly marketplace: 'getgems' | 'fragment';
}

const AUCTION_BID: BlockKind<AuctionBid> = {
  name: 'auction_bid',
  type: 'auction_bid',
  columns: ({ item, bidder, auction, amount, marketplace }) => ({
    source: bidder,
    destination: auction,
    asset: item.collection,
    asset_secondary: item.address,
    value: amount,
    nft_transfer_data: { nft_item_index: item.index, marketplace },
  }),
  details: ({ item, bidder, auction, amount }) => ({
    amount,
    bidder,
    auction,
    nft_item: item.address,
    nft_collection: item.collection,
    nft_item_index: item.index,
  }),
  accounts: ({ item }) => [item.address],
};

/** An earlier bid that was refunded after a higher offer. */
interface AuctionOutbid extends AuctionBid {
  readonly newBidder: string | null;
  readonly comment: string | null;
}

const AUCTION_OUTBID: BlockKind<AuctionOutbid> = {
  name: 'auction_outbid',
  type: 'auction_outbid',
  columns: ({ item, bidder, newBidder, auction, amount, marketplace, comment }) => ({
    source: auction,
    source_secondary: newBidder,
    destination: bidder,
    asset: item.collection,
    asset_secondary: item.address,
    amount,
    ton_transfer_data: { comment },
    nft_transfer_data: { marketplace },
  }),
  details: ({ item, bidder, newBidder, auction, amount }) => ({
    auction_address: auction,
    bidder,
    new_bidder: newBidder,
    nft_item: item.address,
    nft_collection: item.collection,
    amount,
  }),
  accounts: ({ item }) => [item.address],
};

/** The item that a transfer bids for, from the facts of its receiver; null if it is not a bid. */
function auctionedBy(block: Block, context: Context): Pick<AuctionBid, 'item' | 'marketplace'> | null {
  const { destination } = block;
  const auction = context.nftAuction(destination);
  if (auction) return { item: itemAt(auction.nft, context.nftItem(auction.nft)), marketplace: 'getgems' };
  const item = context.nftItem(destination);
  if (isFragmentItem(item)) return { item: itemAt(destination, item), marketplace: 'fragment' };
  const isAnswered = block.children.some((child) => child.opcode === OUTBID_OP);
  return isTonDomain(item) && isAnswered
    ? { item: itemAt(destination, item), marketplace: 'fragment' }
    : null;
}

function buildBid(block: Block, _found: Found, context: Context): Block {
  const auctioned = needed(auctionedBy(block, context), 'an auction');
  return context.merge({
    kind: AUCTION_BID,
    parts: [block],
    failed: block.failed,
    data: { ...auctioned, bidder: block.source, auction: block.destination, amount: block.value },
  });
}

/** The money of an earlier bid on its way back. */
function isRefund(block: Block): boolean {
  if (block.is(TON_TRANSFER)) return block.data.comment.text?.includes(OUTBID_TEXT) ?? false;
  return (block as Block).is(CALL_CONTRACT) && block.opcode === OUTBID_OP;
}

function buildOutbid(block: Block, _found: Found, context: Context): Block {
  const bid = (block as Block<AuctionBid>).data;
  const refunds = block.children.filter((child) => child.source === bid.auction && isRefund(child));
  demand(refunds.length === 1, 'one refund');
  const refund = refunds[0]!;
  return context.merge({
    kind: AUCTION_OUTBID,
    parts: [refund],
    data: {
      ...bid,
      newBidder: bid.bidder,
      bidder: refund.destination,
      amount: refund.value,
      comment: refund.is(TON_TRANSFER) ? refund.data.comment.text : null,
    },
  });
}

const mayBid = (block: Block): boolean =>
  block.is(TON_TRANSFER) && !block.first.deploys && closingComment(block) === null;

/**
 * auction_bid: a TON transfer that deployed nothing and does not end an auction, to a known auction, to an item of
 * Fragment, or to a `.ton` domain that answers with 0x557cea20. It fails if the transfer fails. auction_outbid: below a
 * bid exactly one refund from the auction, as a TON transfer with that comment or 0x557cea20. Only the refund is
 * merged.
 */
export const auctionBids: readonly Matcher[] = [
  {
    name: 'auction_bid',
    after: ['unsubscribe'],
    pattern: blockThat(mayBid, { marks: [TON_TRANSFER.name], build: buildBid }),
  },
  {
    name: 'auction_outbid',
    after: ['auction_bid'],
    pattern: blockThat((block) => block.is(AUCTION_BID), { marks: [AUCTION_BID.name], build: buildOutbid }),
  },
];
