/** Checks of trades, pools and prices. */
import type { Check } from './check.ts';
import { corePools, corePrices, coreTrades } from './trade-rows.ts';

export const TRADE_CHECKS: readonly Check[] = [
  { table: 'dex_trades', key: ['tx_hash', 'pool_address'], time: 'event_time', expected: coreTrades },
  {
    table: 'dex_pools',
    key: ['pool', 'last_updated', 'reserves_left'],
    time: 'last_updated',
    expected: corePools,
  },
  {
    table: 'prices_daily',
    key: ['block_date', 'token_address'],
    rounded: ['price_ton'],
    expected: corePrices,
  },
];
