import type { SinkDefinition } from '../../engine/sink/sink-definition.ts';
import { ACCOUNT_CELLS } from '../../tables/account-cells.ts';
import { ACCOUNT_STATES } from '../../tables/account-states.ts';
import {
  ACCOUNT_CODES,
  ACCOUNTS_LATEST,
  BALANCE_DAYS,
  BALANCES_BY_TIME,
  BALANCES_RANKED,
  CELL_TARGET,
  STATE_TARGET,
} from '../../tables/account-targets.ts';
import { BASE_TABLES } from '../../tables/base-tables.ts';
import { BLOCK_TARGETS, CONFIG_TARGET, RAW_BLOCK_TARGET, SHARD_TARGET } from '../../tables/block-targets.ts';
import { BLOCKS } from '../../tables/blocks.ts';
import { CONFIG_PARAMS } from '../../tables/config-params.ts';
import { STEP_ROW_TARGET, STEP_ROWS } from '../../tables/engine-tables.ts';
import { MESSAGE_TARGETS, MESSAGES } from '../../tables/messages.ts';
import { RAW_BLOCKS } from '../../tables/raw-blocks.ts';
import { SHARDS } from '../../tables/shards.ts';
import { BASE_SUMS } from '../../tables/sums/base-sums.ts';
import { summedBySteps } from '../../tables/sums/sums.ts';
import { derived, landing, summed } from '../../tables/target.ts';
import { TRANSACTION_TARGETS } from '../../tables/transaction-targets.ts';
import { TRANSACTIONS } from '../../tables/transactions.ts';

/** The sink of `base`. */
export const BASE_SINK: SinkDefinition = {
  landings: [
    landing(BLOCKS, BLOCK_TARGETS),
    landing(SHARDS, [SHARD_TARGET]),
    landing(CONFIG_PARAMS, [CONFIG_TARGET]),
    landing(TRANSACTIONS, TRANSACTION_TARGETS),
    landing(MESSAGES, MESSAGE_TARGETS),
    landing(ACCOUNT_STATES, [STATE_TARGET, BALANCES_BY_TIME]),
    landing(ACCOUNT_CELLS, [CELL_TARGET]),
    { ...landing(RAW_BLOCKS, [RAW_BLOCK_TARGET]), countedLike: BLOCKS.name },
    landing(STEP_ROWS, [STEP_ROW_TARGET]),
  ],
  derived: [
    derived(ACCOUNTS_LATEST, STATE_TARGET.name),
    derived(ACCOUNT_CODES, STATE_TARGET.name),
    derived(BALANCE_DAYS, STATE_TARGET.name, BASE_TABLES.account_states),
    summed('base', BALANCES_RANKED),
    ...BASE_SUMS.map(summedBySteps),
  ],
};
