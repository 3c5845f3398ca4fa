import { ACCOUNT_CELLS } from './account-cells.ts';
import { ACCOUNT_STATES } from './account-states.ts';
import { RISING } from './table.ts';
import { buildCopy, buildIndex, first8, landed, pick, pickAll, type Target } from './target.ts';
import { addressText, SPREAD } from './views/text-forms.ts';

/** Everything of an account is on one shard: one shard reads its page, and rows that replace each other meet. */
const shard = 'cityHash64(account)';
const ACCOUNT_TEXT = addressText('account', 'workchain');
/** Rows are read one by one. */
const SMALL_BLOCKS = { granularity: 256, block: 4096 };

/** What answers show of a state. */
const STATE_VALUE = [
  'mc_seqno',
  'workchain',
  'account',
  'lt',
  'last_trans_hash',
  'hash',
  'status',
  'balance',
  'extra',
  'code_hash',
  'data_hash',
  'frozen_hash',
  'last_paid',
  'due_payment',
] as const;

export const STATE_TARGET = buildCopy(ACCOUNT_STATES, {
  // The table is ordered by account, so the smallest and largest text of a granule are near.
  skips: { by_mc_seqno: ['mc_seqno', 1], by_account: [ACCOUNT_TEXT, 1] },
  orderBy: ['account', 'workchain', 'lt'],
  settings: { index_granularity: 1024, merge_selector_base: 20 },
  shard,
  lookUps: [
    {
      name: 'state_by_account',
      // The newest step first: the first key from a step on is the newest state by then.
      key: ['account', 'workchain', { falling: 'mc_seqno' }, { falling: 'lt' }],
      value: STATE_VALUE,
      // Late states delete rows of old states and leave their steps confirmed.
      where: "origin != 'before'",
    },
  ],
});

export const CELL_TARGET = buildIndex(ACCOUNT_CELLS, {
  name: 'account_cells',
  comment: ACCOUNT_CELLS.comment,
  columns: [
    ...pick(ACCOUNT_CELLS, { mc_seqno: RISING, workchain: null, account: null, lt: RISING, hash: null }),
    ...pick(ACCOUNT_CELLS, { whole: null, boc: 'ZSTD(1)' }),
  ],
  without: [],
  skips: { by_mc_seqno: ['mc_seqno', 1] },
  orderBy: ['account', 'workchain', 'lt', 'hash'],
  ...SMALL_BLOCKS,
  shard,
  key: ACCOUNT_CELLS.key,
  lookUps: [
    // Late states delete cells of old states and leave their steps confirmed.
    {
      name: 'cells_of_account',
      key: ['account', 'workchain', 'lt', 'hash'],
      value: ['boc'],
      outlives: true,
    },
  ],
});

/** The newest state of every account. */
export const ACCOUNTS_LATEST = buildIndex(ACCOUNT_STATES, {
  name: 'accounts_latest',
  comment: 'The newest state of every account.',
  columns: pickAll(ACCOUNT_STATES),
  without: [],
  engine: 'ReplacingMergeTree(lt)',
  orderBy: ['account', 'workchain'],
  ...SMALL_BLOCKS,
  shard,
});

/** The newest code of every account, for address books: a hundred accounts in one short read. */
export const ACCOUNT_CODES: Target = {
  name: 'account_codes',
  comment: 'The newest code hash of every account.',
  source: 'land_account_states',
  columns: [
    { ...first8('account8', 'account'), codec: 'LZ4' },
    ...pick(ACCOUNT_STATES, { account: 'LZ4', workchain: 'ZSTD(1)', lt: RISING }),
    {
      name: 'newest',
      type: 'FixedString(76)',
      comment: 'account 32, workchain i32, lt u64, code_hash 32, integers little endian.',
      codec: 'LZ4',
      from: 'toFixedString(concat(account, reinterpretAsFixedString(workchain), reinterpretAsFixedString(lt), code_hash), 76)',
    },
  ],
  engine: 'ReplacingMergeTree(lt)',
  orderBy: ['account8', 'account', 'workchain'],
  settings: {
    index_granularity: 256,
    min_compress_block_size: 8192,
    max_compress_block_size: 32768,
    merge_selector_base: 20,
  },
  shard,
};

/**
 * Every state adds (+1) its balance and takes (-1) the one that it replaces. The sum over a key is exact before any merge,
 * too.
 */
export const BALANCES_RANKED = buildIndex(ACCOUNT_STATES, {
  name: 'balances_ranked',
  comment: 'Balances in order.',
  columns: [
    ...pick(ACCOUNT_STATES, { balance: null, account: null, workchain: null, lt: null }),
    {
      ...landed(ACCOUNT_STATES, 'lt', null),
      name: 'net',
      type: 'Int64',
      comment: '1 if the account has it.',
    },
  ],
  select: (from) => `SELECT change.1 AS balance, account, workchain, change.2 AS lt, change.3 AS net
FROM
(
    SELECT account, workchain, arrayJoin(if(has_prev OR prev_lt > 0,
        [(balance, lt, toInt64(1)), (prev_balance, prev_lt, toInt64(-1))],
        [(balance, lt, toInt64(1))])) AS change
    FROM ${from}
)
WHERE change.1 > 0`,
  engine: 'SummingMergeTree(net)',
  orderBy: ['balance', 'account', 'workchain', 'lt'],
  granularity: 1024,
  shard,
});

const OF_BLOCKS = [{ column: 'origin', equals: 0 }] as const;

/** Balances in the order of time: the balances of a day are one read. */
export const BALANCES_BY_TIME = buildIndex(ACCOUNT_STATES, {
  name: 'balances_by_time',
  comment: 'Balances after the last transaction of an account in a block, in the order of time.',
  columns: [
    ...pick(ACCOUNT_STATES, {
      mc_seqno: RISING,
      now: RISING,
      lt: RISING,
      account: 'LZ4',
      workchain: 'ZSTD(1)',
    }),
    ...pick(ACCOUNT_STATES, { balance: 'ZSTD(1)' }),
  ],
  skips: { by_mc_seqno: ['mc_seqno', 1], by_account: [ACCOUNT_TEXT, 1, SPREAD] },
  orderBy: ['now', 'lt', 'account', 'workchain'],
  granularity: 4096,
  shard,
  where: OF_BLOCKS,
  aging: { column: 'now' },
});

/** The last balance of every account on each day that changed it. */
export const BALANCE_DAYS = buildIndex(ACCOUNT_STATES, {
  name: 'balance_days',
  comment:
    'The last balance of an account on each day that changed it. Merging keeps the newest row of a day.',
  columns: [
    ...pick(ACCOUNT_STATES, { account: 'LZ4', workchain: 'ZSTD(1)' }),
    {
      name: 'day',
      type: 'Date',
      comment: 'Day of the transaction, UTC.',
      codec: 'ZSTD(1)',
      from: "toDate(toDateTime(now, 'UTC'))",
    },
    ...pick(ACCOUNT_STATES, { lt: RISING, mc_seqno: RISING, balance: 'ZSTD(1)' }),
  ],
  skips: { by_account: [ACCOUNT_TEXT, 1] },
  engine: 'ReplacingMergeTree(lt)',
  orderBy: ['account', 'workchain', 'day'],
  granularity: 1024,
  shard,
  where: OF_BLOCKS,
});
