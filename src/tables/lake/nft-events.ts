import { coded, column, columnTypes, defineTable } from '../table.ts';
import type { Target } from '../target.ts';
import { buildLakeTarget, PLACE } from './lake-types.ts';

const amount = (comment: string) => column('Nullable(UInt128)', comment);

export const NFT_EVENTS = defineTable({
  name: 'nft_events',
  version: 1,
  comment: 'Events of NFT items.',
  key: ['lt', 'item', 'type'],
  columns: {
    ...PLACE,
    lt: { ...PLACE.lt, comment: 'Logical time of the event.' },
    time: { ...PLACE.time, comment: 'Time of the event, Unix seconds.' },
    tx_hash: {
      ...PLACE.tx_hash,
      comment: "Hash of the item's last transaction in the event; of a bid, of the auction's.",
    },
    trace_id: { ...PLACE.trace_id, comment: 'Trace of the event.' },
    type: column('String', 'mint, put_on_sale, cancel_sale, sale, transfer or bid.'),
    item: column('String', 'The item.'),
    is_init: column('Bool', 'True if the item is initialised.'),
    item_index: column('Nullable(UInt256)', 'Index in the collection, decimal text.'),
    collection: column('String', 'Collection; null without one.'),
    owner: column('String', 'Owner after the event; of a listing, its seller.'),
    content: coded('String', 'ZSTD(3)', 'Content on the chain, JSON text.'),
    prev_owner: column(
      'String',
      'Deployer of a mint, seller of a sale, previous owner of a transfer, bidder of a bid; null for listings.',
    ),
    query_id: column('Nullable(UInt64)', 'Number that the sender of a transfer gave.'),
    forward_amount: amount('Value that a transfer forwarded, nanotons.'),
    forward_payload: column('String', 'Forward payload as raw bytes of a bag of cells.'),
    comment: column('String', 'Text comment of the forward payload.'),
    custom_payload: column('String', 'Custom payload as raw bytes of a bag of cells.'),
    contract: column('String', 'Sale or auction; the item itself for names and usernames.'),
    sale_type: column('String', 'sale or auction.'),
    end_time: column('Nullable(UInt32)', 'End of an auction, Unix seconds.'),
    marketplace: column('String', 'Marketplace.'),
    fee_address: column('String', 'Receiver of its fee.'),
    fee: amount(
      'Its fee, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose fee is a share.',
    ),
    price: amount('Price of a sale or listing, or the bid, nanotons.'),
    royalty_address: column('String', 'Receiver of the royalty.'),
    royalty: amount(
      'Royalty, nanotons; of Getgems 4, parts of 100,000; null for an auction, whose royalty is a share.',
    ),
    max_bid: amount('Bid that ends an auction, nanotons.'),
    min_bid: amount('Lowest first bid, nanotons.'),
    min_step: amount('Lowest step between bids, per cent.'),
  },
});

export const NFT_EVENT_TYPES = columnTypes(NFT_EVENTS);

const built = buildLakeTarget(NFT_EVENTS, 'item', {
  nullable: ['collection', 'owner', 'prev_owner', 'contract'],
  leading: ['type'],
  few: ['type', 'sale_type', 'marketplace', 'fee_address'],
  indexed: ['item', 'collection', 'owner', 'prev_owner', 'tx_hash', 'contract', 'trace_id'],
});
const { by_mc_seqno, ...blooms } = built.skips!;

export const NFT_EVENT_TARGET: Target = {
  ...built,
  skips: { by_mc_seqno: by_mc_seqno!, by_type: ['type', 1, 'set(10)'], ...blooms },
};
