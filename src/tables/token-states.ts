import { HASH } from './base-types.ts';
import { PART, STEP, TOKEN_KIND } from './contract-types.ts';
import { type Packed, packedAlias, packedSql } from './packed.ts';
import { column, columnTypes, defineTable, party, rising } from './table.ts';
import { buildIndex, landed, pick, summed, type Target, type TargetColumn } from './target.ts';
import { addressText, SPREAD } from './views/text-forms.ts';

export const TOKEN_STATES = defineTable({
  name: 'token_states',
  version: 10,
  comment:
    'One row per token contract and block with transactions of it: a jetton master or wallet, an NFT collection or item. Rule: TEP-62, TEP-74 and the known layouts.',
  key: ['workchain', 'account', 'kind', 'lt'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    part: column('UInt16', PART),
    workchain: column('Int32', 'Workchain of the contract.'),
    account: column(HASH, 'Account id of the contract.'),
    lt: rising('UInt64', 'Logical time of the last transaction before this state.'),
    now: rising('UInt32', 'Time of that transaction, Unix seconds; 0 if unknown. Always 0 in `detections`.'),
    kind: column(TOKEN_KIND, 'What the contract is.'),
    is_gone: column('Bool', 'The account is no longer a contract of this kind.'),
    is_first: column('Bool', 'It was not of this kind before, or had another parent or child code.'),
    is_owner_new: column('Bool', 'The owner differs from the one before.'),
    since: column('UInt32', 'Masterchain step in which the contract was first seen.'),
    code_hash: column(HASH, 'Hash of the code.'),
    data_hash: column(HASH, 'Hash of the data.'),
    amount: column(
      'UInt256',
      'Supply, balance, next index (-1 as 2^256 - 1) or index, by kind. Smallest units.',
    ),
    flag: column(
      'Bool',
      "A master is mintable, an item is initialised, a collection has the beginning of its items' links, a wallet has an unclaimed mintless amount.",
    ),
    ...party('owner', 'admin or owner'),
    ...party('parent', 'master or collection'),
    child_code: column(
      HASH,
      'Hash of the code that a wallet or item must have to belong to its master or collection.',
    ),
    content_hash: column(HASH, 'Hash of the content cell; zeros for none.'),
    content: column('String', 'Content as JSON; empty if the store does not have the cell.'),
    link: column('String', "Link that the items of a collection begin with, or the end of an item's link."),
    had: column(
      'Bool',
      'It was a contract of this kind before. The columns had_… place that state in tokens_ranked.',
    ),
    had_amount: column('UInt256', 'Amount before; 0 without had.'),
    had_parent_workchain: column('Int32', 'Workchain of the parent before; 0 without had.'),
    had_parent: column(HASH, 'Account id of the parent before; zeros without had.'),
    had_child_code: column(HASH, 'Child code before; zeros without had.'),
  },
});

export const TOKEN_TYPES = columnTypes(TOKEN_STATES);
type TokenColumn = keyof typeof TOKEN_TYPES;

/** The payload of `tokens_latest`: all that an answer shows of a token contract. */
export const TOKEN_PAYLOAD = {
  rows: 'tokens',
  layout: 1,
  sized: [
    'mc_seqno',
    'workchain',
    'lt',
    'kind',
    'is_gone',
    'since',
    'code_hash',
    'data_hash',
    'amount',
    'flag',
    'has_owner',
    'owner_workchain',
    'owner',
    'has_parent',
    'parent_workchain',
    'parent',
    'child_code',
  ],
  strings: ['content', 'link'],
} as const satisfies Packed<TokenColumn>;

const NAMES = Object.keys(TOKEN_TYPES) as TokenColumn[];
const CODEC = 'ZSTD(1)';
const ACCOUNT = 'cityHash64(account)';
const TEXTS: ReadonlySet<string> = new Set(['content', 'link']);
const RISING: ReadonlySet<string> = new Set(['mc_seqno', 'lt', 'now']);
/** What only other tables use. */
const isFlag = (name: string) => name === 'is_first' || name === 'is_owner_new';
/** What the newest row does not need. */
const isChange = (name: string) => isFlag(name) || name.startsWith('had');

const plain = (name: TokenColumn) => landed(TOKEN_STATES, name, CODEC);
const sorted = (name: TokenColumn) => (RISING.has(name) ? landed(TOKEN_STATES, name) : plain(name));

/** Finds the rows of new steps for the look-up index without reading the column. */
const BY_STEP = { by_mc_seqno: ['mc_seqno', 1] } as const;

/** What token contracts can be looked up by: each state, then the first ones, by parent and by owner. */
export const TOKEN_TARGETS: readonly Target[] = [
  {
    name: 'token_states',
    comment: 'Token contracts at each lt. The newest row of an account and kind is the current state.',
    source: 'land_token_states',
    columns: NAMES.filter((name) => !isFlag(name)).map((name) =>
      TEXTS.has(name) ? landed(TOKEN_STATES, name, 'ZSTD(3)') : sorted(name),
    ),
    skips: BY_STEP,
    orderBy: ['account', 'workchain', 'kind', 'lt'],
    settings: { index_granularity: 1024, merge_selector_base: 20 },
    shard: ACCOUNT,
    key: TOKEN_STATES.key,
    lookUps: [
      {
        name: 'token_state',
        key: ['account', 'workchain', 'kind', { falling: 'mc_seqno' }, { falling: 'lt' }],
        value: TOKEN_PAYLOAD,
      },
      {
        name: 'token_ranked',
        key: [
          'parent',
          'parent_workchain',
          'kind',
          'child_code',
          'amount',
          'account',
          'workchain',
          'mc_seqno',
        ],
        value: [],
        where: "kind IN ('jetton_wallet', 'nft_item') AND has_parent AND NOT is_gone",
      },
    ],
  },
  buildIndex(TOKEN_STATES, {
    name: 'token_firsts',
    comment: 'Token contracts in the order in which they were first seen, by kind.',
    columns: [
      ...(['mc_seqno', 'part', 'workchain', 'account', 'lt', 'kind'] as const).map(sorted),
      ...(['has_parent', 'parent_workchain', 'parent', 'child_code'] as const).map(plain),
    ],
    orderBy: ['kind', 'mc_seqno', 'account', 'workchain'],
    granularity: 1024,
    shard: ACCOUNT,
    where: [{ column: 'is_first', equals: 1 }],
    lookUps: [
      {
        name: 'parent_by_first',
        key: ['kind', 'mc_seqno', 'account', 'workchain'],
        value: [],
        where: "kind IN ('jetton_master', 'nft_collection')",
      },
    ],
  }),
  buildIndex(TOKEN_STATES, {
    name: 'tokens_by_parent',
    comment: 'Wallets of a master, items of a collection, as they were first seen.',
    columns: (
      ['mc_seqno', 'part', 'workchain', 'account', 'kind', 'parent_workchain', 'parent'] as const
    ).map(plain),
    skips: BY_STEP,
    orderBy: ['parent', 'parent_workchain', 'kind', 'mc_seqno', 'account', 'workchain'],
    granularity: 1024,
    shard: 'cityHash64(parent)',
    where: [{ column: 'is_first', equals: 1 }],
    lookUps: [
      {
        name: 'token_of_parent',
        key: ['parent', 'parent_workchain', 'kind', 'mc_seqno', 'account', 'workchain'],
        value: [],
      },
    ],
  }),
  buildIndex(TOKEN_STATES, {
    name: 'tokens_by_owner',
    comment: 'What an account owns or owned. The newest state decides whether it still does.',
    columns: (['mc_seqno', 'part', 'workchain', 'account', 'kind', 'owner_workchain', 'owner'] as const).map(
      plain,
    ),
    skips: BY_STEP,
    orderBy: ['owner', 'owner_workchain', 'kind', 'account'],
    granularity: 1024,
    shard: 'cityHash64(owner)',
    where: [{ column: 'is_owner_new', equals: 1 }],
    lookUps: [
      {
        name: 'token_of_owner',
        key: ['owner', 'owner_workchain', 'kind', 'account', 'workchain', 'mc_seqno'],
        value: [],
      },
    ],
  }),
];

/** States of wallets that hold jettons for an owner, and their ends. */
const OF_OWNERS = [
  { column: 'kind', equals: 1 },
  { column: 'has_owner', equals: 1 },
  { column: 'has_parent', equals: 1 },
] as const;
const OWNER = addressText('owner', 'owner_workchain');
const MASTER = addressText('parent', 'parent_workchain');
/** What the wallet holds, and for whom. */
const HELD: readonly TargetColumn[] = [
  ...(['owner', 'owner_workchain', 'parent', 'parent_workchain', 'child_code'] as const).map(plain),
  {
    ...plain('amount'),
    comment: 'Balance in smallest units; 0 if the wallet ended.',
    from: 'if(is_gone, toUInt256(0), amount)',
  },
];

/** Balances of jetton wallets in the order of time. */
export const WALLET_BALANCES = buildIndex(TOKEN_STATES, {
  name: 'wallet_balances',
  comment: 'Balances of jetton wallets after each block that changed their account, in the order of time.',
  columns: [...(['mc_seqno', 'part', 'now', 'lt', 'account', 'workchain'] as const).map(sorted), ...HELD],
  skips: { by_mc_seqno: ['mc_seqno', 1], by_owner: [OWNER, 1, SPREAD], by_master: [MASTER, 1, SPREAD] },
  orderBy: ['now', 'lt', 'account', 'workchain'],
  granularity: 1024,
  shard: ACCOUNT,
  where: OF_OWNERS,
  aging: { column: 'now' },
});

/** The last balance of every jetton wallet on each day that changed its account. */
export const WALLET_DAYS = buildIndex(TOKEN_STATES, {
  name: 'wallet_days',
  comment:
    'The last balance of a jetton wallet on each day that changed its account. Merging keeps the newest row of a day.',
  columns: [
    ...(['account', 'workchain'] as const).map(plain),
    {
      name: 'day',
      type: 'Date',
      comment: 'Day of the transaction, UTC.',
      codec: CODEC,
      from: "toDate(toDateTime(now, 'UTC'))",
    },
    ...(['lt', 'mc_seqno'] as const).map(sorted),
    ...HELD,
  ],
  skips: { by_owner: [OWNER, 1, SPREAD], by_master: [MASTER, 1, SPREAD] },
  engine: 'ReplacingMergeTree(lt)',
  orderBy: ['account', 'workchain', 'day'],
  granularity: 1024,
  shard: ACCOUNT,
  where: OF_OWNERS,
});

const FAST = 'LZ4';
/** Columns of `tokens_latest` next to its payload: they replace and find rows. */
const KEPT: ReadonlySet<string> = new Set([
  ...['mc_seqno', 'workchain', 'account', 'lt', 'kind', 'is_gone'],
  'now',
]);

function latest(name: TokenColumn): TargetColumn {
  const stored = landed(TOKEN_STATES, name, FAST);
  return KEPT.has(name) ? stored : { ...stored, alias: packedAlias(TOKEN_PAYLOAD, TOKEN_TYPES, name) };
}

/** The newest state of every token contract: merging keeps one row per account and kind. */
export const TOKENS_LATEST: Target = {
  name: 'tokens_latest',
  comment: 'The newest state of every token contract.',
  source: 'land_token_states',
  columns: [
    ...NAMES.filter((name) => !isChange(name) && name !== 'part' && name !== 'content_hash').map(latest),
    {
      name: 'payload',
      type: 'String',
      comment: 'All that an answer shows of the contract, packed (TOKEN_PAYLOAD).',
      codec: FAST,
      from: packedSql(TOKEN_PAYLOAD),
    },
  ],
  skips: { by_step: ['mc_seqno', 32] },
  engine: 'ReplacingMergeTree(lt)',
  orderBy: ['account', 'workchain', 'kind'],
  settings: { index_granularity: 64, min_compress_block_size: 4096, merge_selector_base: 20 },
  shard: ACCOUNT,
};

/**
 * Wallets of a master by balance, items of a collection by index, under each code. A state adds (+1) its place and takes (-1)
 * that of the state which it replaces. The sum over a key is exact before any merge, too.
 */
export const TOKENS_RANKED = buildIndex(TOKEN_STATES, {
  name: 'tokens_ranked',
  comment: 'Wallets of a master by balance, items of a collection by index, under each code.',
  columns: [
    ...pick(TOKEN_STATES, { parent: FAST, parent_workchain: FAST, kind: FAST, child_code: FAST }),
    ...pick(TOKEN_STATES, { amount: CODEC, account: FAST, workchain: FAST }),
    { name: 'net', type: 'Int64', comment: '1 if the token is there.', codec: FAST },
  ],
  select: (
    from,
  ) => `SELECT change.1 AS parent, change.2 AS parent_workchain, kind, change.3 AS child_code, change.4 AS amount, account, workchain,
    change.5 AS net
FROM
(
    SELECT kind, account, workchain, arrayJoin([
        (parent, parent_workchain, child_code, amount, toInt64(NOT is_gone)),
        (had_parent, had_parent_workchain, had_child_code, had_amount, -toInt64(had))]) AS change
    FROM ${from}
    WHERE kind IN ('jetton_wallet', 'nft_item')
)
WHERE change.5 != 0`,
  engine: 'SummingMergeTree(net)',
  orderBy: ['parent', 'parent_workchain', 'kind', 'child_code', 'amount', 'account', 'workchain'],
  granularity: 1024,
  shard: ACCOUNT,
});

/** The ranking as the sinks of `contracts` and `detections` correct it. */
export const CORRECTED_RANKING = summed('contracts', TOKENS_RANKED);
