import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat } from '../../match/pattern.ts';
import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';
import { closingComment } from './closing-comment.ts';
import { NFT_PURCHASE, NFT_TRANSFER, type NftTransfer } from './nft-items.ts';

/**
 * Blocks that may contain the seller's money: below the transfer, or next to it if a `finish` or `stop` ended an
 * auction.
 */
function candidates(block: Block): readonly Block[] {
  const closing = block.previous && closingComment(block.previous);
  return closing === 'finish' || closing === 'stop' ? block.previous!.children : block.children;
}

function buildPurchase(block: Block, _found: Found, context: Context): Block {
  const { data } = block as Block<NftTransfer>;
  const purchase = needed(data.purchase, 'a purchase');
  const seller = needed(purchase.realOldOwner, 'the seller');
  const paid = needed(
    candidates(block).find((one) => one.is(TON_TRANSFER) && one.destination === seller),
    'the payout',
  );
  const comment = paid.is(TON_TRANSFER) ? paid.data.comment : null;
  const payout = { amount: paid.value, address: seller, comment };
  return context.merge({
    kind: NFT_PURCHASE,
    parts: [block, paid],
    siblings: paid.previous !== block,
    data: { ...data, purchase: { ...purchase, payout } },
  });
}

/**
 * nft_purchase: a purchase through a sale or an auction whose money reached the real seller: the first TON transfer to him
 * among the blocks that follow.
 */
export const nftPurchases: readonly Matcher[] = [
  {
    name: 'nft_purchase',
    after: ['fragment_hand_over'],
    pattern: blockThat((block) => block.is(NFT_TRANSFER) && block.data.purchase?.marketplace === 'getgems', {
      marks: [NFT_TRANSFER.name],
      build: buildPurchase,
    }),
  },
];
