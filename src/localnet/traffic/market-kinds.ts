import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { commentBody } from '../../ton/messages/text-comment.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { FoundItem, FreeItems, Listing } from './free-items.ts';
import { auctionInit, type ListingTerms, saleInit } from './listing-init.ts';
import { handOver } from './nft-kinds.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

/** Addresses that listings name. */
export type MarketPlaces = Pick<ListingTerms, 'marketplace' | 'royaltyTo'>;

const TON = 1_000_000_000n;
/** For the marketplace: deposit of the new contract, gas and forwarding. */
const LISTING_COST = TON / 4n;
/** Above the price, a bid or nothing: for gas and forwarding. */
const COST = TON / 5n;
/** A sale and an auction take this from a payment. */
const BID_COST = TON / 10n;
/** Seconds that an auction lasts at least, and by chance more. */
const DURATION = 60;

/** Sales at a fixed price and auctions, in the formats of Getgems, from the listing to the end. */
export function marketKinds(free: FreeItems, places: MarketPlaces): TrafficKind[] {
  const list = (scene: TrafficScene, init: (item: AccountAddress) => Cell): TrafficAct | null => {
    const found = free.take(scene, ({ owner }) => owner !== null);
    if (!found) return null;
    const forward = { value: LISTING_COST, payload: listingPayload(init(found.item)) };
    return handOver(scene, { item: found.item, from: found.owner!, to: places.marketplace, forward });
  };
  const price = ({ chance }: TrafficScene) => BigInt(1 + chance.below(5)) * TON;
  const makeTerms = (scene: TrafficScene, item: AccountAddress) => ({
    ...places,
    item,
    createdAt: scene.utime,
  });
  return [
    {
      name: 'NFT offer',
      weight: 3,
      transactions: 8,
      make: (scene) => list(scene, (item) => saleInit(makeTerms(scene, item), price(scene))),
    },
    { name: 'NFT purchase', weight: 3, transactions: 8, make: (scene) => buy(scene, free) },
    { name: 'NFT offer withdrawn', weight: 1, transactions: 5, make: (scene) => withdraw(scene, free) },
    {
      name: 'NFT auction',
      weight: 2,
      transactions: 8,
      make: (scene) =>
        list(scene, (item) => {
          const minBid = price(scene);
          const endTime = scene.utime + DURATION + scene.chance.below(DURATION);
          return auctionInit(makeTerms(scene, item), { minBid, maxBid: 5n * minBid, endTime });
        }),
    },
    { name: 'auction bid', weight: 5, transactions: 3, make: (scene) => bid(scene, free) },
    { name: 'auction end', weight: 2, transactions: 8, make: (scene) => finish(scene, free) },
    { name: 'auction cancelled', weight: 1, transactions: 5, make: (scene) => cancel(scene, free) },
  ];
}

// list#0fe0ede (31 bits after the flag of the payload's place) state_init:^StateInit body:^Cell
function listingPayload(init: Cell): Cell {
  return new CellBuilder().uint(0x0fe0ede, 31).ref(init).ref(new CellBuilder().cell()).cell();
}

const getSale = ({ listing }: FoundItem) => (listing?.kind === 'nft_sale' ? listing : null);
const getAuction = ({ listing }: FoundItem) => (listing?.kind === 'nft_auction' ? listing : null);
const hasBid = ({ details }: Listing) => details.last_member !== null;
const isOver = ({ details }: Listing, { utime }: TrafficScene) => utime >= Number(details.end_time);

function buy(scene: TrafficScene, free: FreeItems): TrafficAct | null {
  const listing = free.take(scene, (found) => {
    const sale = getSale(found);
    return sale !== null && sale.seller !== scene.from;
  })?.listing;
  if (!listing) return null;
  const value = BigInt(String(listing.details.full_price)) + COST;
  return { from: scene.from, transfers: [{ to: listing.address, value, bounce: true }] };
}

/** cancel#00000003 query_id:uint64 */
function withdraw(scene: TrafficScene, free: FreeItems): TrafficAct | null {
  const listing = free.take(scene, (found) => !!getSale(found)?.seller)?.listing;
  if (!listing) return null;
  const body = new CellBuilder()
    .uint(3, 32)
    .u64(BigInt(scene.chance.below(2 ** 32)))
    .cell();
  return { from: listing.seller!, transfers: [{ to: listing.address, value: COST, bounce: true, body }] };
}

/** A transfer without a body: the next bid and a bit more, or now and then what buys the item at once. */
function bid(scene: TrafficScene, free: FreeItems): TrafficAct | null {
  const { chance, from } = scene;
  const listing = free.take(scene, (found) => {
    const auction = getAuction(found);
    return auction !== null && auction.seller !== from && !isOver(auction, scene);
  })?.listing;
  if (!listing) return null;
  const { max_bid, min_bid, last_bid, min_step } = listing.details;
  const least = hasBid(listing)
    ? (BigInt(String(last_bid)) * (100n + BigInt(String(min_step))) + 99n) / 100n
    : BigInt(String(min_bid));
  const next = least + BigInt(chance.below(100_000_000));
  const amount = chance.below(6) === 0 ? BigInt(String(max_bid)) : next;
  const value = (amount > least ? amount : least) + BID_COST;
  return { from, transfers: [{ to: listing.address, value, bounce: true }] };
}

/** After the end everybody may finish an auction. */
function finish(scene: TrafficScene, free: FreeItems): TrafficAct | null {
  const listing = free.take(scene, (found) => {
    const auction = getAuction(found);
    return auction !== null && isOver(auction, scene);
  })?.listing;
  return listing ? withComment(scene.from, listing, 'finish') : null;
}

/** The seller may cancel an auction that has no bid. */
function cancel(scene: TrafficScene, free: FreeItems): TrafficAct | null {
  const listing = free.take(scene, (found) => {
    const auction = getAuction(found);
    return !!auction?.seller && !hasBid(auction);
  })?.listing;
  return listing ? withComment(listing.seller!, listing, 'cancel') : null;
}

function withComment(from: TrafficAct['from'], { address }: Listing, text: string): TrafficAct {
  return { from, transfers: [{ to: address, value: COST, bounce: true, body: commentBody(text) }] };
}
