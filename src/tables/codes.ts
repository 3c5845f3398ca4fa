import { HASH } from './base-types.ts';
import { PART, STEP } from './contract-types.ts';
import { coded, column, columnTypes, defineTable, rising } from './table.ts';
import { buildCopy } from './target.ts';

const version = 7;
const ACCOUNT = 'Account id of the contract.';
const STATE_LT = 'Logical time of the last transaction before the state.';
const place = {
  mc_seqno: rising('UInt32', STEP),
  part: column('UInt16', PART),
  workchain: column('Int32', 'Workchain of the account.'),
} as const;

export const CODES = defineTable({
  name: 'codes',
  version,
  comment: 'A code at its first complete appearance.',
  key: ['code_hash'],
  columns: {
    mc_seqno: place.mc_seqno,
    part: place.part,
    code_hash: coded(HASH, 'NONE', 'Hash of the code.'),
    is_known: column('Bool', 'The data of its accounts is read without the TVM.'),
    methods: column('String', 'Ids of its methods, four bytes each, least significant first.'),
  },
});

export const GAPS = defineTable({
  name: 'gaps',
  version,
  comment:
    'A state of a known contract that cannot be read: the indexed blocks do not have all of it, or its data is not valid.',
  key: ['workchain', 'account', 'lt'],
  columns: {
    ...place,
    account: coded(HASH, 'ZSTD(1)', ACCOUNT),
    lt: rising('UInt64', STATE_LT),
    code_hash: coded(HASH, 'ZSTD(1)', 'Hash of the code.'),
    data_hash: coded(HASH, 'ZSTD(1)', 'Hash of the data.'),
    missing: column("Enum8('data' = 0, 'content' = 1, 'size' = 2)", 'What cannot be read.'),
    is_unread: column('Bool', 'The data is complete, and is not what the code stores.'),
  },
});

export const CELL_PLACES = defineTable({
  name: 'cell_places',
  version,
  comment: 'A state that contains a cell of code, data or libraries. Its row of account_cells has the cell.',
  key: ['hash8', 'workchain', 'account', 'lt'],
  columns: {
    mc_seqno: place.mc_seqno,
    part: place.part,
    hash8: rising('UInt64', 'First 8 bytes of the hash of the cell as a number, most significant first.'),
    workchain: place.workchain,
    account: column(HASH, ACCOUNT),
    lt: rising('UInt64', STATE_LT),
  },
});

export const ABSENT_CELLS = defineTable({
  name: 'absent_cells',
  version,
  comment:
    'The first state of an account that leaves out a cell which the index may not have: it begins in mid-chain.',
  key: ['workchain', 'account', 'hash'],
  columns: {
    ...place,
    account: column(HASH, ACCOUNT),
    lt: rising('UInt64', STATE_LT),
    hash: column(HASH, 'Hash of the cell.'),
  },
});

/** Landing tables, by name. */
export const CODE_TABLES = {
  codes: columnTypes(CODES),
  gaps: columnTypes(GAPS),
  cell_places: columnTypes(CELL_PLACES),
  absent_cells: columnTypes(ABSENT_CELLS),
} as const;

/** Keys only, read one by one. */
const SHORT_READS = { index_granularity: 256, min_compress_block_size: 4096, merge_selector_base: 20 };

const ACCOUNT_SHARD = 'cityHash64(account)';
export const CODE_TARGET = buildCopy(CODES, { orderBy: ['code_hash'], shard: 'cityHash64(code_hash)' });
export const GAP_TARGET = buildCopy(GAPS, {
  orderBy: ['account', 'workchain', 'lt'],
  shard: ACCOUNT_SHARD,
});
export const PLACE_TARGET = buildCopy(CELL_PLACES, {
  orderBy: ['hash8', 'lt'],
  settings: SHORT_READS,
  shard: 'hash8',
});
export const ABSENT_TARGET = buildCopy(ABSENT_CELLS, {
  orderBy: ['account', 'workchain', 'hash'],
  settings: SHORT_READS,
  shard: ACCOUNT_SHARD,
});
