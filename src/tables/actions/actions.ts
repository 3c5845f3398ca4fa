import { HASH } from '../base-types.ts';
import { STEP } from '../contract-types.ts';
import { coded, column, columnTypes, defineTable, rising, type Table } from '../table.ts';
import { first8, landed, ONE_PART, pickAll, type Target, type TargetColumn } from '../target.ts';

/** The version of the code that yields these rows. Raised by two: the number of the rules' release comes to it. */
export const ACTIONS_CODE_VERSION = 16;
const version = ACTIONS_CODE_VERSION;

const step = rising('UInt32', STEP);
/** What lists of actions are ordered by. */
const order = {
  trace_end_lt: rising('UInt64', 'Logical time of the last transaction of the trace.'),
  trace8: coded('UInt64', 'LZ4', 'First 8 bytes of trace_id as a number, most significant first.'),
  end_lt: rising('UInt64', 'Highest logical time of the action.'),
  action_id: column(HASH, 'Id of the action.'),
} as const;
const ORDER = ['trace_end_lt', 'trace8', 'end_lt', 'action_id'] as const;
const traceId = column(HASH, 'Trace of the action: hash of its first transaction.');
const traceEnd = rising('UInt32', 'Time of the last transaction of the trace, Unix seconds.');
const endTime = rising('UInt32', 'Time of the last transaction of the action, Unix seconds.');
const type = column('String', 'Type of the action: jetton_transfer, nft_transfer …');
const ancestors = column('String', 'Types of the actions that contain this one, outermost first.');

export const ACTIONS = defineTable({
  name: 'actions',
  version,
  comment: 'Actions: what a trace did, as explorers show it.',
  key: ORDER,
  columns: {
    mc_seqno: step,
    ...order,
    trace_id: traceId,
    trace_end_utime: traceEnd,
    external_hash: coded(HASH, 'ZSTD(1)', 'Hash of the message that began the trace; zeros for none.'),
    start_lt: rising('UInt64', 'Lowest logical time of the action.'),
    start_utime: rising('UInt32', 'Time of the first transaction of the action, Unix seconds.'),
    end_utime: endTime,
    type,
    answered_type: column('String', 'Type that answers show.'),
    ancestor_types: ancestors,
    success: column('Bool', 'True if the action ended well.'),
    accounts: column('String', 'Accounts of the action: workchain (4 bytes, signed, big endian) and id.'),
    tx_hashes: column('String', 'Hashes of the transactions of the action.'),
    details: coded(
      'String',
      'ZSTD(3)',
      'Details as the API returns them, JSON; empty if the type has no layout.',
    ),
    raw_action: coded('String', 'ZSTD(3)', 'Columns of the classifier, JSON; empty if there are details.'),
  },
});

export const ACTION_ACCOUNTS = defineTable({
  name: 'action_accounts',
  version,
  comment: 'An account of an action, and what lists of an account are filtered and ordered by.',
  key: ['workchain', 'account', ...ORDER],
  columns: {
    mc_seqno: step,
    workchain: column('Int32', 'Workchain of the account.'),
    account: column(HASH, 'Id of the account in its workchain.'),
    ...order,
    trace_id: traceId,
    trace_end_utime: traceEnd,
    end_utime: endTime,
    type,
    ancestor_types: ancestors,
  },
});

export const ACTION_TYPES = columnTypes(ACTIONS);
export const ACTION_ACCOUNT_TYPES = columnTypes(ACTION_ACCOUNTS);

const TEXT = 'LowCardinality(String)';
const bytes = (name: string, width: number) =>
  `arrayMap(i -> toFixedString(substring(l.${name}, ${width} * i + 1, ${width}), ${width}), range(intDiv(length(l.${name}), ${width})))`;

/** Lists land as text: names with commas, or values of the same size one after the other. */
const STORED: Readonly<Record<string, Partial<TargetColumn>>> = {
  type: { type: TEXT },
  answered_type: { type: TEXT },
  ancestor_types: {
    type: `Array(${TEXT})`,
    from: `if(l.ancestor_types = '', [], splitByChar(',', l.ancestor_types))`,
  },
  accounts: { type: 'Array(FixedString(36))', from: bytes('accounts', 36) },
  tx_hashes: { type: 'Array(FixedString(32))', from: bytes('tx_hashes', 32) },
};

/** Columns by name; the others of the table, the step and the partition after them. */
function stored(table: Table, first: readonly string[]): TargetColumn[] {
  const others = Object.keys(table.columns).filter((name) => name !== 'mc_seqno' && !first.includes(name));
  const columns = pickAll(table, [...first, ...others, 'mc_seqno']);
  return [...columns.map((one) => ({ ...one, ...STORED[one.name] })), ONE_PART];
}

/** What answers show of an action, besides its key and step. */
export const ACTION_VALUE = [
  ...['trace_id', 'trace_end_utime', 'external_hash', 'start_lt', 'start_utime', 'end_utime', 'type'],
  ...['answered_type', 'ancestor_types', 'success', 'accounts', 'tx_hashes', 'details', 'raw_action'],
] as const;

const settings = { index_granularity: 1024 };
/** Everything of a trace on one shard. */
const TRACE = 'trace8';

export const ACTION_TARGET: Target = {
  name: 'actions',
  comment: ACTIONS.comment,
  source: 'land_actions',
  as: 'l',
  columns: stored(ACTIONS, ORDER),
  skips: {
    by_mc_seqno: ['mc_seqno', 1],
    by_end_utime: ['trace_end_utime', 1],
    by_type: ['type', 1, 'set(100)'],
  },
  orderBy: ORDER,
  settings,
  shard: TRACE,
  key: ORDER,
  lookUps: [{ name: 'actions_of_trace', key: ORDER, value: ACTION_VALUE }],
};

export const ACTION_ID_TARGET: Target = {
  name: 'action_ids',
  comment: 'Actions by id.',
  source: 'land_actions',
  columns: [
    first8('id8', 'action_id'),
    landed(ACTIONS, 'trace_end_lt', 'ZSTD(1)'),
    landed(ACTIONS, 'trace8'),
    landed(ACTIONS, 'mc_seqno', 'ZSTD(1)'),
    ONE_PART,
  ],
  orderBy: ['id8'],
  settings,
  shard: 'id8',
};

export const ACTION_ACCOUNT_TARGET: Target = {
  name: 'action_accounts',
  comment: 'Actions of an account: lists of an account are filtered, ordered and cut here.',
  source: 'land_action_accounts',
  as: 'l',
  columns: stored(ACTION_ACCOUNTS, ['account', 'workchain']),
  orderBy: ['account', 'workchain', ...ORDER],
  settings,
  shard: 'cityHash64(account)',
  key: ACTION_ACCOUNTS.key,
  lookUps: [{ name: 'actions_of_account', key: ['account', 'workchain', ...ORDER], value: [] }],
};
