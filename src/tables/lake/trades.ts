import { column, columnTypes, defineTable } from '../table.ts';
import { pick, type Target } from '../target.ts';
import { buildLakeTarget, PLACE } from './lake-types.ts';

export const TRADES = defineTable({
  name: 'trades',
  version: 2,
  comment: 'Swaps at exchanges, one row a pool.',
  key: ['lt', 'pool'],
  columns: {
    ...PLACE,
    lt: { ...PLACE.lt, comment: "Logical time of the pool's transaction." },
    time: { ...PLACE.time, comment: "Time of the pool's transaction, Unix seconds." },
    tx_hash: {
      ...PLACE.tx_hash,
      comment:
        "Hash of the router's transaction that received the pool's payment, or of the pool's transaction.",
    },
    trace_id: { ...PLACE.trace_id, comment: 'Trace of the trade.' },
    project: column('String', 'Exchange: ston.fi, dedust, tonco or coffee.'),
    version: column('UInt8', "Version of the exchange's contracts."),
    trader: column('String', 'Trader.'),
    pool: column('String', 'Pool.'),
    router: column('String', 'Router.'),
    payer: column(
      'String',
      'Contract that paid the trader, a vault or a router: the pools of an exchange are known by it.',
    ),
    sold: column('String', "Master of the sold jetton; TON is address zero, or the exchange's wrapped TON."),
    bought: column('String', 'Master of the bought jetton; TON as for the sold one.'),
    amount_sold: column('UInt256', "Sold amount, in the token's smallest unit."),
    amount_bought: column('UInt256', "Bought amount, in the token's smallest unit."),
    reserve_sold: column(
      'Nullable(UInt256)',
      'Reserve of the sold token after the swap; null if the pool does not log it.',
    ),
    reserve_bought: column(
      'Nullable(UInt256)',
      'Reserve of the bought token after the swap; null if the pool does not log it.',
    ),
    referral: column('String', 'Referrer.'),
    query_id: column(
      'Nullable(UInt64)',
      'Number that the sender gave; null if the exchange does not pass it on.',
    ),
  },
});

export const TRADE_TYPES = columnTypes(TRADES);

export const TRADE_TARGET = buildLakeTarget(TRADES, 'pool', {
  nullable: ['trader'],
  few: ['project', 'router'],
  indexed: ['pool', 'trader', 'sold', 'bought', 'tx_hash', 'trace_id'],
});

export const POOL_PAYERS: Target = {
  name: 'pool_payers',
  comment: 'Contracts that paid by order of a pool: the pools of an exchange are known by them.',
  source: 'land_trades',
  columns: pick(TRADES, { project: 'ZSTD(1)', payer: 'ZSTD(1)', pool: 'ZSTD(1)' }).map((one) =>
    one.name === 'project' ? { ...one, type: 'LowCardinality(String)' } : one,
  ),
  select: (from, range) =>
    `SELECT DISTINCT project, payer, pool\nFROM ${from}\nWHERE payer != ''${range === null ? '' : ` AND ${range}`}`,
  engine: 'ReplacingMergeTree',
  orderBy: ['project', 'payer', 'pool'],
  settings: { index_granularity: 256 },
  shard: 'cityHash64(pool)',
};
