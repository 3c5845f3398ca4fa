import { OWNERSHIP_ASSIGNED_OP } from '../../../../ton/messages/nft-ownership.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call, optional } from '../../match/pattern.ts';
import type { Columns, Fields } from '../../model/action.ts';
import { CALL_CONTRACT, TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { isFragmentItem, itemAt, NFT_TRANSFER, type NftPurchase, type Payout } from './nft-items.ts';
import {
  auctionColumns,
  auctionDetails,
  NFT_CLOSING,
  type NftAuctionListing,
  type NftClosing,
} from './nft-listings.ts';
import { PAYOUT_OP, readOwnershipAssigned } from './nft-messages.ts';

const BID_INFO = 0x38127de1;
const DEPLOY_ITEM = 0x299a3e15;
const START_AUCTION = 0x487a8e81;
const CANCEL_AUCTION = 0x371638ae;
const OK = 0xa37a0983;

/** Payouts next to a hand-over by creation lt: royalty, then seller, or only the seller. */
function getPayouts(blocks: readonly Block[]): Pick<NftPurchase, 'payout' | 'royalty'> {
  const ordered = blocks.toSorted((a, b) => (a.first.startLt < b.first.startLt ? -1 : 1));
  const payouts = ordered.map(
    (one): Payout => ({ amount: one.value, address: one.destination, comment: null }),
  );
  const [first = null, second = null] = payouts;
  return second ? { royalty: first, payout: second } : { royalty: null, payout: first };
}

/** The money of a bid lies around the block before the hand-over: that block and its payouts. */
function paymentAround(previous: Block | null): {
  readonly payment: readonly Block[];
  readonly payouts: Block[];
} {
  const isPayment =
    previous?.is(TON_TRANSFER) || (previous?.is(CALL_CONTRACT) && (previous as Block).source === null);
  if (!previous || !isPayment) return { payment: [], payouts: [] };
  const payouts = (previous as Block).children.filter(
    (one) => one.opcode === PAYOUT_OP && one.is(CALL_CONTRACT),
  );
  return { payment: [previous], payouts };
}

/** An item that is deployed or minted at once to its buyer was not sold by its owner. */
function isFirstOwner(previous: Block | null): boolean {
  return previous?.opcode === DEPLOY_ITEM || previous?.kind.name === 'nft_mint';
}

function buildHandOver(block: Block, _found: Found, context: Context): Block {
  const item = needed(context.nftItem(block.source), `NFT item ${block.source}`);
  const { queryId, previousOwner, payload } = readOwnershipAssigned(block.body());
  const bid = payload?.peekOp() === BID_INFO ? payload : null;
  const { payment, payouts } = paymentAround(bid && block.previous);
  const purchase: NftPurchase | null =
    bid && !isFirstOwner(block.previous)
      ? {
          price: bid.clone().skip(32).coins(),
          marketplace: 'fragment',
          marketplaceAddress: null,
          realOldOwner: null,
          ...getPayouts(payouts),
        }
      : null;
  return context.merge({
    kind: NFT_TRANSFER,
    parts: [...payment, ...payouts, block],
    data: {
      item: itemAt(block.source, item),
      oldOwner: previousOwner,
      newOwner: block.destination,
      queryId,
      responseDestination: null,
      customPayload: null,
      forwardAmount: null,
      forwardPayload: payload,
      purchase,
      ...(bid && { bidOn: 'fragment' as const }),
    },
  });
}

const START: BlockKind<NftAuctionListing> = {
  name: 'teleitem_start_auction',
  type: 'teleitem_start_auction',
  columns: (one): Columns => auctionColumns(one),
  details: (one): Fields => auctionDetails(one),
};

/** query ^(beneficiary initial_min_bid:Coins max_bid:Coins min_bid_step:uint8 min_extend_time:uint32 duration:uint32) */
function buildStart(block: Block, found: Found, context: Context): Block {
  const config = block.body().skip(64).ref();
  const beneficiary = config.address();
  const [minBid, maxBid] = [config.coins(), config.coins()];
  return context.merge({
    kind: START,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      item: itemAt(block.destination, context.nftItem(block.destination)),
      owner: block.source,
      listing: null,
      auction: block.destination,
      marketplace: null,
      soldOn: 'fragment',
      fees: {
        feeAddress: beneficiary,
        feeFactor: 0,
        feeBase: 0,
        royaltyAddress: null,
        royaltyBase: 0,
        minBid,
        maxBid,
      },
    },
  });
}

const CANCEL: BlockKind<NftClosing> = {
  ...NFT_CLOSING,
  name: 'teleitem_cancel_auction',
  type: 'teleitem_cancel_auction',
};

function buildCancel(block: Block, found: Found, context: Context): Block {
  return context.merge({
    kind: CANCEL,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      item: itemAt(block.destination, context.nftItem(block.destination)),
      owner: block.source,
      contract: block.destination,
      marketplace: null,
    },
  });
}

/** A call to a Fragment item, perhaps answered by `ok`. */
function itemCall(op: number, build: typeof buildStart) {
  const made = (block: Block, found: Found, context: Context): Block => {
    needed(isFragmentItem(context.nftItem(block.destination)) || null, 'a Fragment item');
    return build(block, found, context);
  };
  return call(op, { child: optional(call(OK)), build: made });
}

/**
 * User names and numbers of Fragment, whose items hold their auctions themselves.
 *
 * nft_transfer (hand-over): a 0x05138d91 that no transfer has taken, from a known item. A payload 0x38127de1 makes it a
 * purchase at the bid in it, unless the item was deployed by the block before (0x299a3e15, nft_mint). When that block is a
 * TON transfer or an external, it is merged together with its 0x370fec51 children, which are the payouts; without a bid it
 * stays.
 * teleitem_start_auction: 0x487a8e81, teleitem_cancel_auction: 0x371638ae, both to a Fragment item (→ 0xa37a0983).
 */
export const fragment: readonly Matcher[] = [
  {
    name: 'fragment_hand_over',
    after: ['nft_transfer'],
    pattern: call(OWNERSHIP_ASSIGNED_OP, { build: buildHandOver }),
  },
  {
    name: 'teleitem_start_auction',
    after: ['nft_put_on_sale'],
    pattern: itemCall(START_AUCTION, buildStart),
  },
  {
    name: 'teleitem_cancel_auction',
    after: ['teleitem_start_auction'],
    pattern: itemCall(CANCEL_AUCTION, buildCancel),
  },
];
