import { ACCOUNT_CELLS } from './account-cells.ts';
import { ACCOUNT_STATES } from './account-states.ts';
import { BLOCKS } from './blocks.ts';
import { CONFIG_PARAMS } from './config-params.ts';
import { MESSAGE_TYPES, MESSAGES } from './messages.ts';
import { RAW_BLOCKS } from './raw-blocks.ts';
import { SHARDS } from './shards.ts';
import { columnTypes, newestVersion, type Table } from './table.ts';
import { TRANSACTION_TYPES, TRANSACTIONS } from './transactions.ts';

/** Tables that decoding a block yields. */
export const BASE_TABLE_VALUES: readonly Table[] = [
  BLOCKS,
  SHARDS,
  CONFIG_PARAMS,
  TRANSACTIONS,
  MESSAGES,
  ACCOUNT_STATES,
  ACCOUNT_CELLS,
  RAW_BLOCKS,
];

/** The version of the projection `base`. */
export const BASE_VERSION = newestVersion(BASE_TABLE_VALUES);

/**
 * Column types of every landing table of the projection `base`, by name, in the order of the kernel. Types are
 * ClickHouse's own names, so the bytes of a column are those of the Native format.
 */
export const BASE_TABLES = {
  blocks: columnTypes(BLOCKS),
  shards: columnTypes(SHARDS),
  config_params: columnTypes(CONFIG_PARAMS),
  transactions: TRANSACTION_TYPES,
  messages: MESSAGE_TYPES,
  account_states: columnTypes(ACCOUNT_STATES),
  account_cells: columnTypes(ACCOUNT_CELLS),
  raw_blocks: columnTypes(RAW_BLOCKS),
} as const;

export type BaseTable = keyof typeof BASE_TABLES;
