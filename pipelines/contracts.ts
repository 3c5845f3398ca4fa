import type { TableProjection } from '../src/engine/projection/projection.ts';
import { STEP_ROWS } from '../src/engine/sink/step-rows.ts';
import { CONTRACT_CODE } from '../src/projections/contracts/contract-code.ts';
import { contractFigures } from '../src/projections/contracts/contract-figures.ts';
import { ContractMaker } from '../src/projections/contracts/contract-rows.ts';
import { contractsChecks } from '../src/projections/contracts/contracts-checks.ts';
import { counted } from '../src/tables/target.ts';
import { TOKEN_TARGETS } from '../src/tables/token-states.ts';
import { TRANSFER_TARGET } from '../src/tables/token-transfers.ts';
import { DETECTION_RECORDS } from './detection-records.ts';
import { BLOCK_INPUT, RAW_BLOCKS } from './raw-blocks.ts';

/** Everything of an account is on one shard, which is enough to find its newest state. */
const ACCOUNT = 'cityHash64(account)';

/**
 * Jettons, NFTs, their sales and auctions, and names: their state at each lt, read from account cells, and the messages
 * that moved tokens. State moves in chain order, since a block omits what it does not change.
 *
 *   raw-blocks ─▶ contracts ─▶ land_<table> (Null) ─▶ views ─▶ targets ─▶ detector ─▶ log: detections
 */
export const CONTRACTS: TableProjection = {
  name: 'contracts',
  version: 7,
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
      {
        landing: 'token_states',
        counted: TOKEN_TARGETS.map(counted),
      },
      {
        landing: 'token_transfers',
        counted: [
          counted(TRANSFER_TARGET),
          { table: 'token_transfer_keys', shard: 'cityHash64(key)', rowsPerRow: 4 },
        ],
      },
      { landing: 'codes', counted: [{ table: 'codes', shard: 'cityHash64(code_hash)', key: ['code_hash'] }] },
      { landing: 'gaps', counted: [{ table: 'gaps', shard: ACCOUNT, key: ['workchain', 'account', 'lt'] }] },
      {
        landing: 'cell_places',
        counted: [{ table: 'cell_places', shard: 'hash8', key: ['hash8', 'workchain', 'account', 'lt'] }],
      },
      {
        landing: 'absent_cells',
        counted: [{ table: 'absent_cells', shard: ACCOUNT, key: ['workchain', 'account', 'hash'] }],
      },
      {
        landing: 'contract_states',
        counted: [{ table: 'contract_states', shard: ACCOUNT, key: ['workchain', 'account', 'kind', 'lt'] }],
      },
      {
        landing: 'contract_keys',
        counted: [{ table: 'contract_keys', shard: 'cityHash64(key)', key: ['role', 'key', 'account'] }],
      },
      { landing: STEP_ROWS, counted: [{ table: STEP_ROWS, shard: 'mc_seqno' }] },
    ],
    derived: [
      { table: 'tokens_latest', shard: ACCOUNT, repair: 'clickhouse/contracts/repairs/tokens_latest.sql' },
      {
        table: 'tokens_ranked',
        shard: ACCOUNT,
        corrections: 'clickhouse/contracts/repairs/tokens_ranked.sql',
      },
    ],
  },
};
