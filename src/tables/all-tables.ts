import {
  ACCOUNT_CODES,
  ACCOUNTS_LATEST,
  BALANCE_DAYS,
  BALANCES_BY_TIME,
  BALANCES_RANKED,
  CELL_TARGET,
  STATE_TARGET,
} from './account-targets.ts';
import {
  ACTION_CORRECTION_TARGET,
  ACTION_PROBLEMS,
  ACTION_STEP_TARGET,
  ACTION_STEPS,
  PROBLEM_TARGET,
  UNDETECTED_TARGET,
  UNDETECTED_TOKENS,
} from './actions/action-steps.ts';
import {
  ACTION_ACCOUNT_TARGET,
  ACTION_ACCOUNTS,
  ACTION_ID_TARGET,
  ACTION_TARGET,
  ACTIONS,
} from './actions/actions.ts';
import { ACTIVITY, ACTIVITY_TARGET } from './activity.ts';
import { BASE_TABLE_VALUES } from './base-tables.ts';
import { BLOCK_TARGETS, CONFIG_TARGET, RAW_BLOCK_TARGET, SHARD_TARGET } from './block-targets.ts';
import * as codes from './codes.ts';
import * as contracts from './contract-states.ts';
import * as detections from './detections.ts';
import {
  CONFIRMED_PARTS,
  CONFIRMED_RANGES,
  CORRECTION_TARGET,
  PART_STEP_ROW_TARGET,
  PART_STEP_ROWS,
  STEP_ROW_TARGET,
  STEP_ROWS,
} from './engine-tables.ts';
import { NFT_EVENT_TARGET, NFT_EVENTS } from './lake/nft-events.ts';
import { POOL_PAYERS, TRADE_TARGET, TRADES } from './lake/trades.ts';
import { MESSAGE_TARGETS } from './messages.ts';
import { CELL_TARGETS } from './meta/cells.ts';
import { METADATA_TARGETS } from './meta/metadata.ts';
import { OLDER_DETECTION_TARGETS } from './meta/older-detections.ts';
import { HOOK_TARGETS, SECRET_TARGETS } from './meta/secrets.ts';
import { STORE_TARGETS } from './meta/store.ts';
import { ACTIVITY_SUMS } from './sums/activity-sums.ts';
import { BASE_SUMS } from './sums/base-sums.ts';
import { LAKE_SUMS } from './sums/lake-sums.ts';
import { sumTarget } from './sums/sums.ts';
import { CONTRACT_SUMS } from './sums/token-sums.ts';
import type { Table } from './table.ts';
import type { Target } from './target.ts';
import {
  TOKEN_STATES,
  TOKEN_TARGETS,
  TOKENS_LATEST,
  TOKENS_RANKED,
  WALLET_BALANCES,
  WALLET_DAYS,
} from './token-states.ts';
import * as traces from './traces.ts';
import { TRANSACTION_TARGETS } from './transaction-targets.ts';
import { JETTON_MINTS, MINT_TARGET } from './transfers/jetton-mints.ts';
import { TOKEN_TRANSFERS, TRANSFER_KEY_TARGET, TRANSFER_TARGET } from './transfers/token-transfers.ts';

/** Tables of a folder of migrations. */
export interface FolderTables {
  /** Rows of a decoder. Each has a landing table. */
  readonly landed: readonly Table[];
  readonly targets: readonly Target[];
}

/** What a projection in chain order has. */
const partitioned = ({ landed, targets }: FolderTables): FolderTables => ({
  landed: [...landed, PART_STEP_ROWS],
  targets: [CONFIRMED_PARTS, PART_STEP_ROW_TARGET, ...targets],
});

/** Every table of the store, by folder of clickhouse. */
export const ALL_TABLES: Readonly<Record<string, FolderTables>> = {
  base: {
    landed: [...BASE_TABLE_VALUES, STEP_ROWS],
    targets: [
      ...[CONFIRMED_RANGES, STEP_ROW_TARGET],
      ...[...BLOCK_TARGETS, SHARD_TARGET, CONFIG_TARGET, RAW_BLOCK_TARGET],
      ...TRANSACTION_TARGETS,
      ...MESSAGE_TARGETS,
      ...[STATE_TARGET, CELL_TARGET, ACCOUNTS_LATEST, ACCOUNT_CODES, BALANCES_RANKED],
      ...[BALANCES_BY_TIME, BALANCE_DAYS, ...BASE_SUMS.map(sumTarget)],
    ],
  },
  activity: partitioned({ landed: [ACTIVITY], targets: [ACTIVITY_TARGET, ...ACTIVITY_SUMS.map(sumTarget)] }),
  contracts: partitioned({
    landed: [
      ...[TOKEN_STATES, TOKEN_TRANSFERS, JETTON_MINTS],
      ...[codes.CODES, codes.GAPS, codes.CELL_PLACES, codes.ABSENT_CELLS],
      ...[contracts.CONTRACT_STATES, contracts.CONTRACT_KEYS],
    ],
    targets: [
      ...[...TOKEN_TARGETS, TOKENS_LATEST, TOKENS_RANKED, TRANSFER_TARGET, TRANSFER_KEY_TARGET],
      MINT_TARGET,
      ...[codes.CODE_TARGET, codes.GAP_TARGET, codes.PLACE_TARGET, codes.ABSENT_TARGET],
      ...[contracts.CONTRACT_STATE_TARGET, contracts.CONTRACT_KEY_TARGET],
      ...[WALLET_BALANCES, WALLET_DAYS, ...CONTRACT_SUMS.map(sumTarget)],
    ],
  }),
  detections: partitioned({
    landed: [detections.TOKEN_OUTCOMES, TOKEN_STATES, detections.CONTRACT_OUTCOMES],
    targets: [
      ...[detections.TOKEN_OUTCOME_TARGET, ...TOKEN_TARGETS, TOKENS_LATEST, TOKENS_RANKED],
      ...[detections.CONTRACT_OUTCOME_TARGET, detections.DETECTED_CONTRACTS],
      detections.DETECTED_CONTRACT_KEYS,
    ],
  }),
  traces: partitioned({
    landed: [traces.TRACES, traces.TRACE_TRANSACTIONS, traces.MESSAGES_IN_FLIGHT, traces.TRACE_STEPS],
    targets: [
      ...[...traces.TRACE_TARGETS, ...traces.TRACE_TRANSACTION_TARGETS],
      ...[traces.IN_FLIGHT_TARGET, traces.TRACE_STEP_TARGET],
    ],
  }),
  actions: partitioned({
    landed: [ACTIONS, ACTION_ACCOUNTS, ACTION_STEPS, UNDETECTED_TOKENS, ACTION_PROBLEMS],
    targets: [
      ...[ACTION_TARGET, ACTION_ID_TARGET, ACTION_ACCOUNT_TARGET, ACTION_STEP_TARGET],
      ...[UNDETECTED_TARGET, PROBLEM_TARGET, ACTION_CORRECTION_TARGET],
    ],
  }),
  lake: partitioned({
    landed: [TRADES, NFT_EVENTS],
    targets: [TRADE_TARGET, POOL_PAYERS, NFT_EVENT_TARGET, CORRECTION_TARGET, ...LAKE_SUMS.map(sumTarget)],
  }),
  meta: {
    landed: [],
    targets: [
      ...[...STORE_TARGETS, ...CELL_TARGETS, ...METADATA_TARGETS],
      ...[...HOOK_TARGETS, ...SECRET_TARGETS, ...OLDER_DETECTION_TARGETS],
    ],
  },
};
