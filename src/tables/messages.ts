import { CURRENCIES, GRAMS, HASH, MC_SEQNO } from './base-types.ts';
import { type Packed, packedAlias, packedSql } from './packed.ts';
import { column, columnTypes, defineTable, named, orNone, rising } from './table.ts';
import { buildIndex, first8, landed, type Target, type TargetColumn } from './target.ts';
import { endText, hashText, SPREAD } from './views/text-forms.ts';

const ADDRESS_KIND = "Enum8('none' = 0, 'extern' = 1, 'std' = 2, 'var' = 3)";

export const MESSAGES = defineTable({
  name: 'messages',
  version: 7,
  comment:
    "One row per message and side: 'out' is written by the sending transaction, 'in' by the receiving one. Rule: Message and CommonMsgInfo of block.tlb.",
  key: ['hash', 'side', 'tx_account', 'tx_lt'],
  columns: {
    mc_seqno: rising('UInt32', MC_SEQNO),
    side: named(
      'MessageSide',
      column("Enum8('out' = 0, 'in' = 1)", "'out': the sender's row. 'in': the receiver's row."),
    ),
    kind: named(
      'MessageKind',
      column("Enum8('internal' = 0, 'ext_in' = 1, 'ext_out' = 2)", 'Constructor of CommonMsgInfo.'),
    ),
    hash: column(HASH, "Hash of the message's cell."),
    hash_norm: column(
      HASH,
      'Normalised hash (TEP-467) of an external-in message; equals hash for the other kinds.',
    ),
    created_lt: rising('UInt64', 'Logical time of creation; 0 for external-in messages, which have none.'),
    created_at: rising('UInt32', 'Time of creation, Unix seconds; 0 for external-in messages.'),
    source_kind: named('AddressKind', column(ADDRESS_KIND, 'Form of the source address.')),
    source_workchain: column('Int32', 'Workchain of the source; 0 unless it is an account.'),
    source: column(HASH, 'Account id of the source; zeros unless it is an account.'),
    destination_kind: named('AddressKind', column(ADDRESS_KIND, 'Form of the destination address.')),
    destination_workchain: column('Int32', 'Workchain of the destination; 0 unless it is an account.'),
    destination: column(HASH, 'Account id of the destination; zeros unless it is an account.'),
    value: column(GRAMS, 'Value, nanotons.'),
    value_extra: column(CURRENCIES, 'Value in extra currencies, amount by id.'),
    fwd_fee: column(GRAMS, 'Forward fee, nanotons.'),
    ihr_fee: column(GRAMS, 'Fee of instant hypercube routing, nanotons.'),
    import_fee: column(GRAMS, 'Import fee of an external-in message, nanotons.'),
    extra_flags: column(
      `Nullable(${GRAMS})`,
      'Extra flags. NULL before global version 12, when their place holds ihr_fee.',
    ),
    ihr_disabled: column('Bool', 'Instant hypercube routing is disabled.'),
    bounce: column('Bool', 'The message bounces if its transaction fails.'),
    bounced: column('Bool', 'The message is a bounced one.'),
    opcode: column('Nullable(UInt32)', 'First 32 bits of the body; NULL if the body is shorter.'),
    body_hash: column(HASH, "Hash of the body's cell."),
    body: column('String', 'The body as a cell of its own: a bag of cells with checksum, without index.'),
    init_hash: orNone(column(HASH, 'Hash of the state init; zeros if there is none.')),
    init: orNone(column('String', 'The state init as a bag of cells; empty if there is none.')),
    tx_workchain: column('Int32', 'Workchain of the transaction at this side.'),
    tx_account: column(HASH, 'Account id of the transaction at this side.'),
    tx_lt: rising('UInt64', 'Logical time of the transaction at this side.'),
    tx_hash: column(HASH, 'Hash of the transaction at this side.'),
    tx_now: rising('UInt32', 'Time of the transaction at this side, Unix seconds.'),
    listed: column(
      'Bool',
      "The indexes of messages contain this row: the sender's row, or the receiver's if no indexed transaction sent the message.",
    ),
  },
});

export const MESSAGE_TYPES = columnTypes(MESSAGES);

/** The payload of a message: all that an answer shows of one side. */
export const MESSAGE_PAYLOAD = {
  rows: 'messages',
  layout: 1,
  sized: [
    'mc_seqno',
    'side',
    'kind',
    'created_lt',
    'created_at',
    'hash',
    'tx_hash',
    'source_kind',
    'source_workchain',
    'source',
    'destination_kind',
    'destination_workchain',
    'destination',
    'value',
    'fwd_fee',
    'ihr_fee',
    'import_fee',
    'ihr_disabled',
    'bounce',
    'bounced',
    'body_hash',
    'init_hash',
    'opcode',
    'extra_flags',
  ],
  strings: ['body', 'init'],
  optional: { column: 'hash_norm', condition: "kind = 'ext_in'", otherwise: 'hash' },
  maps: ['value_extra'],
} as const satisfies Packed<keyof typeof MESSAGE_TYPES>;

/** Columns that are stored next to the payload: statements filter, join, group or sum by them. The others are aliases. */
const STORED: ReadonlySet<string> = new Set([
  'mc_seqno',
  'side',
  'kind',
  'created_lt',
  'created_at',
  'hash',
  'source_kind',
  'source_workchain',
  'source',
  'destination_kind',
  'destination_workchain',
  'destination',
  'value',
  'value_extra',
  'fwd_fee',
  'bounced',
  'opcode',
  'body_hash',
  'tx_workchain',
  'tx_account',
  'tx_lt',
  'tx_hash',
  'tx_now',
  'listed',
]);

const HASH8 = first8('hash8', 'hash');

/**
 * Most bodies are one, the empty one, and a few opcodes are most messages: the hash of the message spreads the rows of
 * such indexes over the shards.
 */
const SHARD = 'hash8';

/** Filters of analysts by hash, source or destination. */
const BY_TEXT = {
  by_hash: [hashText('hash'), 1, SPREAD],
  by_tx_hash: [hashText('tx_hash'), 1, SPREAD],
  by_source: [endText('source'), 1, SPREAD],
  by_destination: [endText('destination'), 1, SPREAD],
} as const;

/** The sides of a message are neighbours, so the second one costs little. A key decompresses 4 KiB and 512 rows. */
const TARGET: Target = {
  name: 'messages',
  comment: 'One row per message and side, in the order of creation.',
  source: 'land_messages',
  columns: [
    ...Object.keys(MESSAGES.columns).map(stored),
    {
      name: 'payload',
      type: 'String',
      comment: 'All that an answer shows of this side, packed (MESSAGE_PAYLOAD).',
      codec: 'ZSTD(1)',
      from: packedSql(MESSAGE_PAYLOAD, MESSAGE_TYPES),
    },
    HASH8,
  ],
  skips: {
    by_mc_seqno: ['mc_seqno', 1],
    by_created_at: ['created_at', 1],
    by_tx_now: ['tx_now', 1],
    ...BY_TEXT,
  },
  orderBy: ['created_lt', 'hash8', 'side'],
  settings: { index_granularity: 512, min_compress_block_size: 4096, merge_selector_base: 20 },
  shard: SHARD,
  key: MESSAGES.key,
  packed: ['payload'],
  // The transaction has the message. A message that no row lists is not found by its hash.
  lookUps: [{ name: 'transaction_by_message', key: ['hash8', 'tx_hash'], value: ['listed'] }],
};

function stored(name: string): TargetColumn {
  const found = landed(MESSAGES, name);
  return STORED.has(name) ? found : { ...found, alias: packedAlias(MESSAGE_PAYLOAD, MESSAGE_TYPES, name) };
}

/** The indexes contain one of the sides of a message. */
const LISTED = { column: 'listed', equals: 1 } as const;
const CREATED_LT = landed(MESSAGES, 'created_lt');
const CREATED_AT = landed(MESSAGES, 'created_at');
const STEP = landed(MESSAGES, 'mc_seqno');
/** What finds a message in its table, and bounds a list. */
const KEY = [CREATED_LT, HASH8, CREATED_AT, STEP];
const bare = (name: keyof typeof MESSAGE_TYPES) => landed(MESSAGES, name, null);

/** Ends of messages in the order of creation. Addresses that are not accounts are under their kind. */
function endIndex(end: 'source' | 'destination', comment: string): Target {
  const address = [end, `${end}_workchain`, `${end}_kind`] as const;
  return buildIndex(MESSAGES, {
    name: `messages_by_${end}`,
    comment,
    columns: [...address.map(bare), ...KEY],
    orderBy: [...address, 'created_lt', 'hash8'],
    granularity: 1024,
    shard: `cityHash64(${end})`,
    where: [LISTED],
  });
}

/**
 * External-in messages have no logical time, so the order of creation does not lead to a day. Here they are in the order of
 * their transactions.
 */
const EXTERNALS: Target = {
  ...TARGET,
  name: 'external_messages',
  comment: 'External-in messages in the order of their transactions.',
  skips: { by_mc_seqno: ['mc_seqno', 1], by_tx_now: ['tx_now', 1], ...BY_TEXT },
  orderBy: ['tx_lt', 'hash8'],
  where: [{ column: 'kind', equals: 1 }],
  lookUps: [{ name: 'transaction_by_norm_hash', key: ['hash_norm', 'tx_hash'], value: [] }],
};

/** What messages can be looked up by, the table itself first. */
export const MESSAGE_TARGETS: readonly Target[] = [
  TARGET,
  EXTERNALS,
  buildIndex(MESSAGES, {
    name: 'message_hashes',
    comment: 'Message hash → (created_lt, hash8), the key of messages. Readers take distinct keys.',
    columns: [HASH8, landed(MESSAGES, 'created_lt', 'ZSTD(1)'), landed(MESSAGES, 'mc_seqno', 'ZSTD(1)')],
    orderBy: ['hash8'],
    granularity: 256,
    block: 4096,
    shard: SHARD,
    where: [LISTED],
  }),
  buildIndex(MESSAGES, {
    name: 'message_norm_hashes',
    comment:
      'Normalised hash (TEP-467) of an external-in message → hash8 of the message; its created_lt is 0.',
    columns: [first8('norm8', 'hash_norm'), HASH8, landed(MESSAGES, 'mc_seqno', 'ZSTD(1)')],
    orderBy: ['norm8'],
    granularity: 256,
    block: 4096,
    shard: 'norm8',
    where: [{ column: 'kind', equals: 1 }],
  }),
  buildIndex(MESSAGES, {
    name: 'message_bodies',
    comment: 'Hash of the body → key of messages.',
    columns: [first8('body8', 'body_hash'), ...KEY],
    orderBy: ['body8', 'created_lt', 'hash8'],
    granularity: 1024,
    shard: SHARD,
    where: [LISTED],
  }),
  endIndex('source', "Source → key of messages. External-in messages have the kind 'none'."),
  endIndex('destination', "Destination → key of messages. External-out messages have 'none' or 'extern'."),
  buildIndex(MESSAGES, {
    name: 'messages_by_opcode',
    comment: 'Opcode, the first 32 bits of the body → key of messages.',
    columns: [
      {
        ...bare('opcode'),
        type: 'UInt32',
        comment: 'First 32 bits of the body.',
        from: 'assumeNotNull(opcode)',
      },
      ...KEY,
    ],
    orderBy: ['opcode', 'created_lt', 'hash8'],
    granularity: 1024,
    shard: SHARD,
    where: [LISTED, { column: 'opcode', notNull: true }],
  }),
];
