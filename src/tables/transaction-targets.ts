import { lengthsPlace, type Packed, packedAlias } from './packed.ts';
import { buildIndex, first8, landed, type Target, type TargetColumn } from './target.ts';
import { TRANSACTION_TYPES, TRANSACTIONS, type TransactionColumn } from './transactions.ts';
import { addressText, hashText, SPREAD } from './views/text-forms.ts';

/*
 * The payload of a transaction: the layout, one byte; the columns of TRANSACTION_HEAD; the length, u32, and bytes of
 * `details`, which is a row of RowBinary with all other columns; the length, u32, and bytes of `states`; `messages`.
 */

export const TRANSACTION_HEAD = {
  rows: 'transactions',
  layout: 3,
  sized: [
    'hash',
    'prev_trans_hash',
    'state_hash_before',
    'state_hash_after',
    'account',
    'lt',
    'prev_trans_lt',
    'shard',
    'mc_seqno',
    'seqno',
    'now',
    'workchain',
  ],
  strings: [],
} as const satisfies Packed<TransactionColumn>;

/** Columns that are packed already. */
export const TRANSACTION_PACKS = ['states', 'messages'] as const satisfies readonly TransactionColumn[];

const NOT_DETAILS: ReadonlySet<string> = new Set([...TRANSACTION_HEAD.sized, ...TRANSACTION_PACKS]);

/** The columns in the details of a payload, of those that a version lands, in the order in which it does. */
export function transactionDetails(types: Readonly<Record<string, string>> = TRANSACTION_TYPES): string[] {
  return Object.keys(types).filter((name) => !NOT_DETAILS.has(name));
}

/** Bytes before the length of the details. */
export const HEAD_BYTES = lengthsPlace(TRANSACTION_HEAD, TRANSACTION_TYPES);

/**
 * Columns that only the payload has: no statement filters by these hashes, and a copy of them would not compress.
 */
const PACKED_ONLY = [
  'messages',
  'states',
  'prev_trans_hash',
  'state_hash_before',
  'state_hash_after',
] as const satisfies readonly TransactionColumn[];

const ACCOUNT_SHARD = 'cityHash64(account)';
const HASH_SHARD = 'hash8';
/** The typed columns of `transactions` have the same content. */
const REPEATED = ['payload', 'details'];
/** A look-up of one row decompresses a granule. */
const SMALL_GRANULES = { index_granularity: 128, min_compress_block_size: 4096, merge_selector_base: 20 };

const stored = (name: TransactionColumn) => landed(TRANSACTIONS, name);
const alias = (name: TransactionColumn): TargetColumn => ({
  ...stored(name),
  alias: packedAlias(TRANSACTION_HEAD, TRANSACTION_TYPES, name),
});

/** Aliases of the parts of different size. */
const PARTS: readonly TargetColumn[] = [
  part(
    'details',
    'The other columns as a row of RowBinary.',
    `substring(payload, ${at(4)}, ${lengthAt(at(0))})`,
  ),
  part(
    'states',
    TRANSACTIONS.columns.states.comment,
    `substring(payload, ${at(8)} + length(details), ${lengthAt(`${at(4)} + length(details)`)})`,
  ),
  part(
    'messages',
    TRANSACTIONS.columns.messages.comment,
    `substring(payload, ${at(8)} + length(details) + length(states))`,
  ),
];

function part(name: string, comment: string, expression: string): TargetColumn {
  return { name, type: 'String', comment, codec: null, alias: expression };
}

/** A place after the head; SQL counts from 1. */
function at(offset: number): number {
  return HEAD_BYTES + 1 + offset;
}

function lengthAt(place: number | string): string {
  return `reinterpretAsUInt32(substring(payload, ${place}, 4))`;
}

const PAYLOAD: TargetColumn = {
  name: 'payload',
  type: 'String',
  comment: 'All that an answer shows of the transaction, packed.',
  codec: 'ZSTD(1)',
};

/** formatRow, because formatRowNoNewline would take a last byte 10 for a newline. */
const DETAILS_SQL = `formatRow('RowBinary', ${transactionDetails().join(', ')})`;
const PAYLOAD_SQL = `concat(${[
  `char(${TRANSACTION_HEAD.layout})`,
  ...TRANSACTION_HEAD.sized.map((name) =>
    TRANSACTION_TYPES[name].startsWith('FixedString') ? name : `reinterpretAsFixedString(${name})`,
  ),
  ...['details', 'states'].flatMap((name) => [`reinterpretAsFixedString(toUInt32(length(${name})))`, name]),
  'messages',
].join(', ')})`;

/** What transactions can be looked up by, the table with a column for each fact first. */
export const TRANSACTION_TARGETS: readonly Target[] = [
  {
    name: 'transactions',
    comment:
      'Transactions in the order of logical time, in columns: what statements filter by, count and sum.',
    source: 'land_transactions',
    columns: columnsBut(PACKED_ONLY).map(stored),
    without: PACKED_ONLY,
    skips: {
      by_mc_seqno: ['mc_seqno', 1],
      by_now: ['now', 1],
      by_account: [addressText('account', 'workchain'), 1, SPREAD],
      by_hash: [hashText('hash'), 1, SPREAD],
    },
    orderBy: ['lt', 'account', 'workchain'],
    settings: { index_granularity: 4096, merge_selector_base: 20 },
    shard: ACCOUNT_SHARD,
    key: TRANSACTIONS.key,
    aging: { column: 'now' },
  },
  {
    name: 'transaction_payloads',
    comment:
      'The same transactions as answers show them, in the same order: lists, pages of blocks, look-ups by hash.',
    source: 'land_transactions',
    columns: [
      ...(['mc_seqno', 'workchain', 'shard', 'seqno', 'lt'] as const).map(stored),
      first8('hash8', 'hash'),
      stored('now'),
      { ...PAYLOAD, from: PAYLOAD_SQL },
      ...(['hash', 'prev_trans_hash', 'state_hash_before', 'state_hash_after', 'account'] as const).map(
        alias,
      ),
      ...PARTS,
    ],
    withs: { details: DETAILS_SQL },
    skips: { by_mc_seqno: ['mc_seqno', 8], by_now: ['now', 8] },
    orderBy: ['lt', 'hash8'],
    settings: SMALL_GRANULES,
    shard: HASH_SHARD,
    key: TRANSACTIONS.key,
    packed: REPEATED,
    lookUps: [{ name: 'transaction_by_hash', key: ['hash'], value: ['payload'] }],
  },
  {
    name: 'account_transactions',
    comment: 'The same transactions by account: a page of an account is one contiguous read.',
    source: 'transaction_payloads',
    columns: [
      ...(['mc_seqno', 'workchain', 'shard', 'seqno'] as const).map(stored),
      { ...stored('account'), from: alias('account').alias as string },
      ...(['lt', 'now'] as const).map(stored),
      PAYLOAD,
      ...PARTS,
      ...(['hash', 'prev_trans_hash', 'prev_trans_lt'] as const).map(alias),
    ],
    skips: { by_mc_seqno: ['mc_seqno', 1], by_now: ['now', 1] },
    orderBy: ['account', 'workchain', 'lt'],
    settings: SMALL_GRANULES,
    shard: ACCOUNT_SHARD,
    packed: REPEATED,
    lookUps: [
      { name: 'transaction_by_place', key: ['account', 'workchain', 'lt'], value: ['hash'] },
      { name: 'transaction_by_lt', key: ['lt', 'account', 'workchain'], value: ['hash', 'now'] },
    ],
  },
  buildIndex(TRANSACTIONS, {
    name: 'transaction_hashes',
    comment: 'Transaction hash → lt. Hashes have no order, so each key decompresses a block of its own.',
    columns: [
      first8('hash8', 'hash'),
      landed(TRANSACTIONS, 'lt', 'ZSTD(1)'),
      landed(TRANSACTIONS, 'mc_seqno', 'ZSTD(1)'),
    ],
    orderBy: ['hash8'],
    granularity: 256,
    block: 4096,
    shard: HASH_SHARD,
  }),
];

function columnsBut(names: readonly TransactionColumn[]): TransactionColumn[] {
  const all = Object.keys(TRANSACTION_TYPES) as TransactionColumn[];
  return all.filter((name) => !names.includes(name));
}
