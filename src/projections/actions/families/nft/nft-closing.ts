import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat, call, type Pattern } from '../../match/pattern.ts';
import { CALL_CONTRACT } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { type Closing, closingComment } from './closing-comment.ts';
import { getItemMove, NFT_PURCHASE, NFT_TRANSFER } from './nft-items.ts';
import { closingDetails, NFT_CLOSING, type NftClosing } from './nft-listings.ts';

const CANCEL_SALE = 0x00000003;
const CLOSING_OPS: ReadonlyMap<number, Closing> = new Map([
  [0x5616c572, 'cancel'],
  [0x20c9eb18, 'finish'],
  [0xb95616b6, 'stop'],
]);

const NFT_CANCEL_SALE: BlockKind<NftClosing> = {
  ...NFT_CLOSING,
  name: 'nft_cancel_sale',
  type: 'nft_cancel_sale',
  details: (one) => ({ ...closingDetails(one), sale_address: one.contract }),
};
const NFT_CANCEL_AUCTION: BlockKind<NftClosing> = {
  ...NFT_CLOSING,
  name: 'nft_cancel_auction',
  type: 'nft_cancel_auction',
};
const NFT_FINISH_AUCTION: BlockKind<NftClosing> = {
  ...NFT_CLOSING,
  name: 'nft_finish_auction',
  type: 'nft_finish_auction',
};

/** How a block ends the auction that it is sent to; null if it does not. */
function getClosing(block: Block): Closing | null {
  const { opcode } = block;
  if (block.is(CALL_CONTRACT)) return opcode === null ? null : (CLOSING_OPS.get(opcode) ?? null);
  return closingComment(block);
}

function closedBy(block: Block, found: Found, marketplace: string | null): NftClosing {
  const { item, newOwner } = needed(getItemMove(found.get('moved')), 'a move of an item');
  return { item, owner: newOwner, contract: block.destination, marketplace };
}

function buildCancelSale(block: Block, found: Found, context: Context): Block {
  const sale = needed(context.nftSale(block.destination), `sale ${block.destination}`);
  const data = closedBy(block, found, sale.marketplace);
  demand(data.item.address === sale.nft, 'the item of the sale');
  return context.merge({ kind: NFT_CANCEL_SALE, parts: [block], data });
}

function buildSold(block: Block, found: Found, context: Context): Block {
  const auction = needed(context.nftAuction(block.destination), `auction ${block.destination}`);
  const data = closedBy(block, found, null);
  demand(data.item.address === auction.nft, 'the item of the auction');
  return context.merge({ kind: NFT_FINISH_AUCTION, parts: [block], data });
}

function buildReturned(block: Block, found: Found, context: Context): Block {
  const auction = needed(context.nftAuction(block.destination), `auction ${block.destination}`);
  const data = closedBy(block, found, auction.marketplace);
  demand(data.item.address === auction.nft, 'the item of the auction');
  const kind = getClosing(block) === 'cancel' ? NFT_CANCEL_AUCTION : NFT_FINISH_AUCTION;
  return context.merge({ kind, parts: [block], data });
}

const moved = (kind: typeof NFT_TRANSFER): Pattern =>
  blockThat((block) => block.is(kind), { label: 'moved', excesses: 'leave' });

const ends = (block: Block): boolean => getClosing(block) !== null;

/**
 * Ends of sales and auctions. Only the requesting message is merged; the item's transfer stays an action.
 *
 * nft_cancel_sale: 0x00000003 to a known sale with an nft_transfer of its item below. nft_finish_auction: a TON
 * transfer with the comment `cancel`, `finish` or `stop`, or 0x5616c572, 0x20c9eb18, 0xb95616b6, to a known auction
 * with an nft_purchase below; with an nft_transfer below for `finish` and `stop`. nft_cancel_auction: `cancel` with an
 * nft_transfer below.
 */
export const nftClosing: readonly Matcher[] = [
  {
    name: 'nft_cancel_sale',
    after: ['auction_outbid'],
    pattern: call(CANCEL_SALE, { child: moved(NFT_TRANSFER), build: buildCancelSale }),
  },
  {
    name: 'nft_finish_auction',
    after: ['nft_cancel_sale'],
    pattern: blockThat(ends, { child: moved(NFT_PURCHASE), build: buildSold }),
  },
  {
    name: 'nft_return',
    after: ['nft_finish_auction'],
    pattern: blockThat(ends, { child: moved(NFT_TRANSFER), build: buildReturned }),
  },
];
