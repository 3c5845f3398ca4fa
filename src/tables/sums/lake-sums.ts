/* Sums of trades and sales of NFTs by hour. Addresses are text. */
import { buildAmount, buildCount, buildTokens, type Sums, sameColumn } from './sums.ts';

const FEW = 'LowCardinality(String)';

/** Lands as an empty text where it is stored as null. */
const token = (name: string, comment: string) => ({
  name,
  type: 'String',
  comment,
  from: `ifNull(${name}, '')`,
});

export const TRADE_HOURS: Sums = {
  name: 'trade_hours',
  comment: 'Trades by hour, pool and tokens.',
  source: 'trades',
  stored: 'trades',
  time: 'time',
  by: [
    sameColumn('pool', 'String', 'Pool.'),
    sameColumn('project', FEW, 'Exchange or launchpad.'),
    sameColumn('version', 'UInt8', "Version of the exchange's contracts."),
    sameColumn('router', FEW, 'Router.'),
    token('sold', 'Master of the sold jetton, or TON; empty for launches.'),
    token('bought', 'Master of the bought jetton, or TON; empty for launches.'),
  ],
  sums: [
    buildCount('trades', '', 'Trades.'),
    buildTokens('amount_sold', 'amount_sold', 'Sold amount in smallest units.'),
    buildTokens('amount_bought', 'amount_bought', 'Bought amount in smallest units.'),
  ],
  skips: { by_pool: ['pool', 1, 'bloom_filter'] },
  shard: 'cityHash64(pool)',
};

export const SALE_HOURS: Sums = {
  name: 'sale_hours',
  comment: 'Sales of NFT items by hour, collection and marketplace.',
  source: 'nft_events',
  stored: 'nft_events',
  time: 'time',
  where: "type = 'sale'",
  by: [
    {
      name: 'of_collection',
      type: 'String',
      comment: 'Collection; empty for none.',
      from: "ifNull(collection, '')",
    },
    sameColumn('marketplace', FEW, 'Marketplace; empty for none.'),
  ],
  sums: [buildCount('sales', '', 'Sales.'), buildAmount('volume', 'ifNull(price, 0)', 'Prices, nanotons.')],
};

/** Sums of `lake`. */
export const LAKE_SUMS: readonly Sums[] = [TRADE_HOURS, SALE_HOURS];
