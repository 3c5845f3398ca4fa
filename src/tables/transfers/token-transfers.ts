import { GRAMS, HASH } from '../base-types.ts';
import { PART, STEP, TRANSFER_KIND } from '../contract-types.ts';
import { type Packed, packedAlias, packedSql } from '../packed.ts';
import { column, columnTypes, defineTable, party, RISING, rising } from '../table.ts';
import { buildIndex, landed, pick, type Target, type TargetColumn } from '../target.ts';
import { addressText, hashText, SPREAD } from '../views/text-forms.ts';

export const TOKEN_TRANSFERS = defineTable({
  name: 'token_transfers',
  version: 8,
  comment:
    'Received messages that move a token, if the receiver is, or may be, a wallet or item. Under a code whose data is not read, the row has no parent and its own code as child_code, and get methods decide. Rule: TEP-62, TEP-74.',
  key: ['kind', 'workchain', 'account', 'lt'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    part: column('UInt16', PART),
    kind: column(TRANSFER_KIND, 'What the message does.'),
    workchain: column('Int32', 'Workchain of the wallet or item.'),
    account: column(HASH, 'Account id of the wallet or item.'),
    lt: rising('UInt64', 'Logical time of the transaction that received the message.'),
    hash: column(HASH, 'Hash of that transaction.'),
    now: rising('UInt32', 'Time of that transaction, Unix seconds.'),
    aborted: column('Bool', 'That transaction was aborted.'),
    ...party('parent', 'master or collection'),
    child_code: column(HASH, 'Hash of the code that the master or collection must name.'),
    query_id: column('UInt64', 'query_id of the message.'),
    amount: column('UInt256', 'Jettons in smallest units; the index of an item.'),
    ...party('source', 'known source'),
    has_destination: column('Bool', 'The destination is an account.'),
    destination_workchain: column(
      'Int32',
      'Workchain of the destination, or its form if it is no account: 0 addr_none, 1 addr_extern, 2 addr_var.',
    ),
    destination: column(HASH, 'Account id of the destination; zeros if it is no account.'),
    has_response: column('Bool', 'The response destination is an account.'),
    response_workchain: column(
      'Int32',
      'Workchain of the response destination, or its form if it is no account, as destination_workchain.',
    ),
    response: column(HASH, 'Account id of the response destination; zeros if it is no account.'),
    forward_amount: column(GRAMS, 'Value forwarded to the destination, nanotons.'),
    custom_payload: column('String', 'Custom payload as a bag of cells; empty for none.'),
    forward_payload: column('String', 'Forward payload as a bag of cells; empty for none.'),
  },
});

/** Raw text of a party of a transfer; null unless it is an account. */
const partyText = (party: string) => `if(has_${party}, ${addressText(party, `${party}_workchain`)}, NULL)`;

export const TRANSFER_TYPES = columnTypes(TOKEN_TRANSFERS);
type TransferColumn = keyof typeof TRANSFER_TYPES;

/** The payload of a transfer: all that an answer shows of it. */
export const TRANSFER_PAYLOAD = {
  rows: 'transfers',
  layout: 1,
  sized: [
    'mc_seqno',
    'workchain',
    'lt',
    'hash',
    'now',
    'aborted',
    'has_parent',
    'parent_workchain',
    'parent',
    'child_code',
    'query_id',
    'amount',
    'has_source',
    'source_workchain',
    'source',
    'has_destination',
    'destination_workchain',
    'destination',
    'has_response',
    'response_workchain',
    'response',
    'forward_amount',
  ],
  strings: ['custom_payload', 'forward_payload'],
} as const satisfies Packed<TransferColumn>;

/** Columns next to the payload: they are filtered, grouped by or summed. */
const KEPT: ReadonlySet<string> = new Set([
  'mc_seqno',
  'part',
  'kind',
  'workchain',
  'account',
  'lt',
  'now',
  'aborted',
  'hash',
  'amount',
  'has_parent',
  'parent_workchain',
  'parent',
  'child_code',
  'has_source',
  'source_workchain',
  'source',
  'has_destination',
  'destination_workchain',
  'destination',
]);

const IDS: ReadonlySet<string> = new Set(['account', 'parent', 'source', 'destination']);
/** Codec of ids that repeat from row to row. */
const REPEATED = 'ZSTD(1)';

function stored(name: string): TargetColumn {
  if (!KEPT.has(name))
    return { ...landed(TOKEN_TRANSFERS, name), alias: packedAlias(TRANSFER_PAYLOAD, TRANSFER_TYPES, name) };
  // One account has many transfers, so its id compresses.
  return IDS.has(name) ? landed(TOKEN_TRANSFERS, name, REPEATED) : landed(TOKEN_TRANSFERS, name);
}

export const TRANSFER_TARGET: Target = {
  name: 'token_transfers',
  comment: 'Received messages that move tokens, by kind and logical time.',
  source: 'land_token_transfers',
  columns: [
    ...Object.keys(TRANSFER_TYPES).map(stored),
    {
      name: 'payload',
      type: 'String',
      comment: 'All that an answer shows of the transfer, packed (TRANSFER_PAYLOAD).',
      codec: 'ZSTD(1)',
      from: packedSql(TRANSFER_PAYLOAD),
    },
  ],
  skips: {
    by_now: ['now', 2],
    by_hash: [hashText('hash'), 8, SPREAD],
    by_account: [`toNullable(${addressText('account', 'workchain')})`, 8, SPREAD],
    by_source: [partyText('source'), 8, SPREAD],
    by_destination: [partyText('destination'), 8, SPREAD],
    by_parent: [`toNullable(${addressText('parent', 'parent_workchain')})`, 8, SPREAD],
  },
  orderBy: ['kind', 'lt', 'account', 'workchain'],
  settings: { index_granularity: 128, min_compress_block_size: 4096, merge_selector_base: 20 },
  shard: 'cityHash64(account)',
  key: TOKEN_TRANSFERS.key,
  packed: ['payload'],
  lookUps: [{ name: 'transfer_by_place', key: ['kind', 'account', 'workchain', 'lt'], value: ['payload'] }],
};

/** What an account is in a transfer. */
export const TRANSFER_ROLE = "Enum8('account' = 0, 'parent' = 1, 'source' = 2, 'destination' = 3)";

/** Transfers by each account that takes part: the receiver, the parent, the source and the destination. */
export const TRANSFER_KEY_TARGET = buildIndex(TOKEN_TRANSFERS, {
  name: 'token_transfer_keys',
  comment: 'Transfers by each account that takes part.',
  columns: [
    ...pick(TOKEN_TRANSFERS, { mc_seqno: RISING, part: REPEATED, kind: REPEATED }),
    {
      name: 'role',
      type: TRANSFER_ROLE,
      comment: 'What the account is in the transfer.',
      codec: REPEATED,
    },
    { name: 'key', type: HASH, comment: 'Account id; zeros for none.', codec: REPEATED },
    ...pick(TOKEN_TRANSFERS, { workchain: REPEATED, account: REPEATED, lt: RISING, now: RISING }),
  ],
  select: (from) => `SELECT mc_seqno, part, kind, one.1 AS role, one.2 AS key, workchain, account, lt, now
FROM
(
    SELECT mc_seqno, part, kind, workchain, account, lt, now, arrayJoin([
        ('account', account), ('parent', parent), ('source', source), ('destination', destination)]) AS one
    FROM ${from}
)`,
  rowsPerRow: 4,
  orderBy: ['key', 'kind', 'role', 'lt', 'account'],
  granularity: 1024,
  shard: 'cityHash64(key)',
  lookUps: [
    {
      name: 'transfers_of_account',
      key: ['key', 'kind', 'role', 'lt', 'account', 'workchain', 'now'],
      value: [],
      where: "key != toFixedString('', 32)",
    },
  ],
});
