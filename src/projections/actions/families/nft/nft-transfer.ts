import { EXCESS_OP } from '../../../../ton/messages/excess.ts';
import { OWNERSHIP_ASSIGNED_OP } from '../../../../ton/messages/nft-ownership.ts';
import { NFT_TRANSFER_OP } from '../../../../ton/messages/nft-transfer.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, call, optional } from '../../match/pattern.ts';
import { CALL_CONTRACT, TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';
import { closingComment } from './closing-comment.ts';
import { itemAt, NFT_TRANSFER, type NftPurchase } from './nft-items.ts';
import { readNftTransfer, readOwnershipAssigned } from './nft-messages.ts';

/** A sale or auction that may have sold an item. */
interface Seller {
  readonly nft: string;
  readonly nftOwner: string | null;
  readonly marketplace: string | null;
  readonly price: bigint | null;
}

/** The sale that the new owner paid, or else the auction that the block before was sent to. */
function sellerBehind(previous: Block, newOwner: string | null, context: Context): Seller | null {
  if (previous.is(TON_TRANSFER) && previous.source === newOwner) {
    const sale = context.nftSale(previous.destination);
    if (sale) return { ...sale, price: sale.fullPrice };
  }
  const auction = context.nftAuction(previous.first.transaction.account);
  return auction && { ...auction, price: auction.lastBid };
}

function findPurchase(block: Block, newOwner: string | null, context: Context): NftPurchase | null {
  const seller = block.previous && sellerBehind(block.previous, newOwner, context);
  if (!seller || seller.nft !== block.destination || seller.nftOwner === newOwner) return null;
  return {
    price: seller.price,
    marketplace: 'getgems',
    marketplaceAddress: seller.marketplace,
    realOldOwner: seller.nftOwner,
    payout: null,
    royalty: null,
  };
}

/** Whether the block before a purchase paid for it: a transfer that does not just close an auction, or an external. */
function isPayment(previous: Block): boolean {
  if (previous.is(TON_TRANSFER)) {
    const closing = closingComment(previous);
    return closing !== 'finish' && closing !== 'stop';
  }
  return previous.is(CALL_CONTRACT) && previous.source === null;
}

function buildTransfer(block: Block, found: Found, context: Context): Block {
  const item = needed(context.nftItem(block.destination), `NFT item ${block.destination}`);
  const request = readNftTransfer(block.body());
  const assigned = found.maybe('assigned');
  const purchase = findPurchase(block, request.newOwner, context);
  const payment = purchase && isPayment(block.previous!) ? [block.previous!] : [];
  return context.merge({
    kind: NFT_TRANSFER,
    parts: [...payment, block, ...found.blocks],
    failed: block.aborted,
    data: {
      ...request,
      item: itemAt(block.destination, item),
      oldOwner: assigned ? readOwnershipAssigned(assigned.body()).previousOwner : block.source,
      purchase,
    },
  });
}

/**
 * nft_transfer: 0x5fcc3d14 to a known item (→ 0x05138d91, 0xd53276db). It is a purchase if the previous block was sent
 * to a known sale or auction of this item whose real owner is not the new owner. For a sale, that block is a TON
 * transfer from the new owner and the price is the full price; for an auction, the price is the last bid. The payment
 * is merged too, unless its comment is `finish` or `stop`.
 */
export const nftTransfers: readonly Matcher[] = [
  {
    name: 'nft_transfer',
    after: ['nft_update_sale'],
    pattern: call(NFT_TRANSFER_OP, {
      child: optional(anyOf([call(OWNERSHIP_ASSIGNED_OP, { label: 'assigned' }), call(EXCESS_OP)])),
      build: buildTransfer,
    }),
  },
];
