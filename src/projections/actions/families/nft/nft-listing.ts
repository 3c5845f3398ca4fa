import { Body } from '../../body/body.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat } from '../../match/pattern.ts';
import { CALL_CONTRACT, TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';
import { readAuctionData } from './auction-data.ts';
import { NFT_TRANSFER, type NftTransfer } from './nft-items.ts';
import { NFT_PUT_ON_AUCTION, NFT_PUT_ON_SALE } from './nft-listings.ts';
import { readSaleData } from './sale-data.ts';

/** Hash of the code and the data cell of a state init in a message. */
interface InitialState {
  readonly codeHash: string | null;
  readonly data: Body;
}

/** @throws Refusal, CellError, BocError: no state init with data */
function initialState(block: Block): InitialState {
  const init = Body.of(needed(block.message?.stateInit, 'the state init of the deploying message'));
  if (init.bit()) init.skip(5);
  if (init.bit()) init.skip(2);
  const code = init.maybeRef();
  const data = needed(init.maybeRef(), 'the data of the new contract');
  return { codeHash: code?.hash().toBase64() ?? null, data };
}

function buildListing(block: Block, found: Found, context: Context): Block {
  const deploying = found.get('deploying');
  const account = deploying.destination;
  const { item, oldOwner: owner, newOwner: listing } = (block as Block<NftTransfer>).data;
  const handed = (found.get('handed') as Block<NftTransfer>).data;
  demand(handed.item.address === item.address, 'the same item');
  demand(handed.newOwner === account, 'a transfer to the new contract');
  const sale = context.nftSale(account);
  const contract = needed(sale ?? context.nftAuction(account), `sale or auction ${account}`);
  demand(contract.nft === item.address && contract.nftOwner === owner, 'the item and its owner');
  const { codeHash, data } = initialState(deploying);
  const version = contract.codeHash ?? codeHash;
  const parts = [block, ...found.blocks];
  if (sale) {
    const terms = readSaleData(version, data);
    return context.merge({
      kind: NFT_PUT_ON_SALE,
      parts,
      data: { item, owner, listing, sale: account, terms },
    });
  }
  const fees = readAuctionData(version, data);
  const { marketplace } = contract;
  return context.merge({
    kind: NFT_PUT_ON_AUCTION,
    parts,
    data: { item, owner, listing, auction: account, marketplace, soldOn: 'getgems' as const, fees },
  });
}

const deploys = (block: Block): boolean =>
  (block.is(TON_TRANSFER) || (block as Block).is(CALL_CONTRACT)) && block.first.deploys;

/**
 * nft_put_on_sale, nft_put_on_auction: an nft_transfer to a listing contract, which deploys a contract and transfers the
 * same item to it. The new contract is a known sale, or else a known auction, of this item and its old owner; prices come
 * from the state init in the deploying message.
 */
export const nftListing: readonly Matcher[] = [
  {
    name: 'nft_put_on_sale',
    after: ['nft_purchase'],
    pattern: blockThat((block) => block.is(NFT_TRANSFER), {
      marks: [NFT_TRANSFER.name],
      children: [
        blockThat(deploys, { label: 'deploying' }),
        blockThat((block) => block.is(NFT_TRANSFER), { label: 'handed' }),
      ],
      build: buildListing,
    }),
  },
];
