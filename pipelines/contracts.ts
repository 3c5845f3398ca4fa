import type { TableProjection } from '../src/engine/projection/projection.ts';
import { CONTRACT_CODE } from '../src/projections/contracts/contract-code.ts';
import { contractFigures } from '../src/projections/contracts/contract-figures.ts';
import { ContractMaker } from '../src/projections/contracts/contract-rows.ts';
import { contractsChecks } from '../src/projections/contracts/contracts-checks.ts';
import {
  ABSENT_CELLS,
  ABSENT_TARGET,
  CELL_PLACES,
  CODE_TARGET,
  CODES,
  GAP_TARGET,
  GAPS,
  PLACE_TARGET,
} from '../src/tables/codes.ts';
import {
  CONTRACT_KEY_TARGET,
  CONTRACT_KEYS,
  CONTRACT_STATE_TARGET,
  CONTRACT_STATES,
} from '../src/tables/contract-states.ts';
import { PART_STEP_ROW_TARGET, PART_STEP_ROWS } from '../src/tables/engine-tables.ts';
import { summedBySteps } from '../src/tables/sums/sums.ts';
import { CONTRACT_SUMS } from '../src/tables/sums/token-sums.ts';
import { newestVersion } from '../src/tables/table.ts';
import { derived, landing } from '../src/tables/target.ts';
import {
  CORRECTED_RANKING,
  TOKEN_STATES,
  TOKEN_TARGETS,
  TOKEN_TYPES,
  TOKENS_LATEST,
  WALLET_BALANCES,
  WALLET_DAYS,
} from '../src/tables/token-states.ts';
import { JETTON_MINTS, MINT_TARGET } from '../src/tables/transfers/jetton-mints.ts';
import {
  TOKEN_TRANSFERS,
  TRANSFER_KEY_TARGET,
  TRANSFER_TARGET,
} from '../src/tables/transfers/token-transfers.ts';
import { DETECTION_RECORDS } from './detection-records.ts';
import { BLOCK_INPUT, RAW_BLOCKS } from './raw-blocks.ts';

/**
 * Jettons, NFTs, their sales and auctions, and names: their state at each lt, read from account cells, and the messages
 * that moved tokens. State moves in chain order, since a block omits what it does not change.
 *
 *   raw-blocks ─▶ contracts ─▶ land_<table> (Null) ─▶ views ─▶ targets ─▶ detector ─▶ log: detections
 */
export const CONTRACTS: TableProjection = {
  name: 'contracts',
  version: newestVersion([TOKEN_STATES, TOKEN_TRANSFERS, JETTON_MINTS]),
  reads: RAW_BLOCKS,
  group: 'contracts',
  decoder: CONTRACT_CODE,
  order: { partitions: 2 },
  begin: (at) => new ContractMaker(at),
  input: BLOCK_INPUT,
  feeds: { topic: DETECTION_RECORDS, begins: 'first' },
  checks: contractsChecks,
  figures: contractFigures,
  sink: {
    landings: [
      landing(TOKEN_STATES, [...TOKEN_TARGETS, WALLET_BALANCES]),
      landing(TOKEN_TRANSFERS, [TRANSFER_TARGET, TRANSFER_KEY_TARGET]),
      landing(JETTON_MINTS, [MINT_TARGET]),
      landing(CODES, [CODE_TARGET]),
      landing(GAPS, [GAP_TARGET]),
      landing(CELL_PLACES, [PLACE_TARGET]),
      landing(ABSENT_CELLS, [ABSENT_TARGET]),
      landing(CONTRACT_STATES, [CONTRACT_STATE_TARGET]),
      landing(CONTRACT_KEYS, [CONTRACT_KEY_TARGET]),
      landing(PART_STEP_ROWS, [PART_STEP_ROW_TARGET]),
    ],
    derived: [
      derived(TOKENS_LATEST, TOKEN_STATES.name),
      derived(WALLET_DAYS, TOKEN_STATES.name, TOKEN_TYPES),
      CORRECTED_RANKING,
      ...CONTRACT_SUMS.map(summedBySteps),
    ],
  },
};
