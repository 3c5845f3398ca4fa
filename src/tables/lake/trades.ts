import { column, columnTypes, defineTable } from '../table.ts';
import { pick, type Target } from '../target.ts';
import { buildLakeTarget, PLACE } from './lake-types.ts';

/** Projects whose pools are jetton masters with a bonding curve. */
export const LAUNCHPADS: readonly string[] = ['ton.fun', 'blum', 'gaspump', 'memeslab'];

/** Projects of which only pools have rows that a known code or router proves. */
export const PROVEN_PROJECTS: readonly string[] = [
  'gaspump',
  'megaton',
  'bidask_clmm',
  'bidask_damm',
  'moon',
];

export const TRADES = defineTable({
  name: 'trades',
  version: 3,
  comment: 'Swaps at exchanges, one row a pool; trades and launches of launchpads.',
  key: ['lt', 'pool', 'sold'],
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
    project: column('String', 'Exchange or launchpad: ston.fi, dedust …'),
    version: column('UInt8', "Version of the exchange's contracts."),
    trader: column('String', 'Trader; none for most launches.'),
    pool: column('String', 'Pool; of a launchpad, the jetton master.'),
    router: column('String', 'Router.'),
    payer: column(
      'String',
      'Contract that paid the trader, a vault or a router: the pools of an exchange are known by it.',
    ),
    sold: column(
      'String',
      "Master of the sold jetton; TON is address zero, or the exchange's wrapped TON; none for a launch.",
    ),
    bought: column('String', 'Master of the bought jetton; TON as for the sold one; none for a launch.'),
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
    referral: column('String', 'Referrer; of Blum, a text.'),
    query_id: column(
      'Nullable(UInt64)',
      'Number that the sender gave; null if the exchange does not pass it on.',
    ),
    platform_tag: column('String', 'Platform that brought the trader, as ton.fun logs it.'),
  },
});

export const TRADE_TYPES = columnTypes(TRADES);

export const TRADE_TARGET = buildLakeTarget(TRADES, 'pool', {
  nullable: ['trader', 'sold', 'bought'],
  few: ['project', 'router', 'platform_tag'],
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
