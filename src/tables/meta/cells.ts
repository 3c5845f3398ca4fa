import { HASH } from '../base-types.ts';
import { AT } from '../engine-tables.ts';
import { coded, column, defineTable } from '../table.ts';
import { buildStored, type Target } from '../target.ts';

/* Cells and codes that are true of every version of a projection: a hash names one cell for ever. */

const version = 1;
const CODE_HASH = column(HASH, 'Hash of the code.');
const IS_KNOWN = column('Bool', 'The data of its accounts is read without the TVM.');
const METHODS = coded('String', 'ZSTD(1)', 'Ids of its methods, four bytes each, least significant first.');

export const FETCHED_CELLS = defineTable({
  name: 'fetched_cells',
  version,
  comment: 'Cells that no block of the index has, fetched by their hash and proved by it.',
  key: ['hash'],
  columns: {
    hash: column(HASH, 'Hash of the cell.'),
    boc: coded('String', 'ZSTD(3)', 'Bag of the cell with everything below it.'),
  },
});

export const FOUND_CODES = defineTable({
  name: 'found_codes',
  version,
  comment: 'Methods of codes that no state of the index has completely: library cells and fetched codes.',
  key: ['code_hash'],
  columns: {
    code_hash: CODE_HASH,
    library: column(HASH, 'Hash of the cell that a library cell stands for; zeros for an ordinary code.'),
    is_known: IS_KNOWN,
    is_found: column('Bool', 'False if the library is not in the index.'),
    methods: METHODS,
    at: AT,
  },
});

export const HIDDEN_METHODS = defineTable({
  name: 'hidden_methods',
  version,
  comment:
    'Methods of codes that do not begin with a dictionary of methods. A searched code without any has a row too.',
  key: ['code_hash'],
  columns: { code_hash: CODE_HASH, is_known: IS_KNOWN, methods: METHODS, at: AT },
});

const settings = { index_granularity: 256 };

export const CELL_TARGETS: readonly Target[] = [
  buildStored(FETCHED_CELLS, { engine: 'ReplacingMergeTree', orderBy: ['hash'], settings }),
  ...[FOUND_CODES, HIDDEN_METHODS].map((table) =>
    buildStored(table, { engine: 'ReplacingMergeTree(at)', orderBy: ['code_hash'], settings }),
  ),
];
