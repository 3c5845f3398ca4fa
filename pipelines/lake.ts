import type { TableProjection } from '../src/engine/projection/projection.ts';
import { ACTIONS_CODE } from '../src/projections/actions/stored/actions-code.ts';
import { lakeChecks } from '../src/projections/lake/lake-checks.ts';
import { LakeCorrections } from '../src/projections/lake/lake-corrections.ts';
import { LakeMaker } from '../src/projections/lake/lake-maker.ts';
import { CORRECTION_ROWS, PART_STEP_ROW_TARGET, PART_STEP_ROWS } from '../src/tables/engine-tables.ts';
import { NFT_EVENT_TARGET, NFT_EVENTS } from '../src/tables/lake/nft-events.ts';
import { POOL_PAYERS, TRADE_TARGET, TRADES } from '../src/tables/lake/trades.ts';
import { LAKE_SUMS } from '../src/tables/sums/lake-sums.ts';
import { summedBySteps } from '../src/tables/sums/sums.ts';
import { derived, landing } from '../src/tables/target.ts';
import { FINISHED_TRACES, TRACE_INPUT } from './finished-traces.ts';

/** Version 5 has no table of mints: they are rows of `contracts`. */
const VERSION = 5;

/** Projections that facts are read from. */
interface LakeNeeds {
  /** Transactions and messages. */
  readonly chain: TableProjection;
  /** The traces that a step completed. */
  readonly traces: TableProjection;
  /** States of items, sales and auctions. */
  readonly tokens: TableProjection;
  readonly actions: TableProjection;
}

/**
 * Tables of the lake with rows of their own: trades and events of NFTs. They follow from the traces that
 * a step completed, and their actions. The views of clickhouse/lake read them. A correction of actions makes the rows of its step again.
 *
 *   traces ─▶ lake ─▶ land_<table> (Null) ─▶ trades, nft_events
 */
export const buildLake = ({ chain, traces, tokens, actions }: LakeNeeds): TableProjection => {
  const names = { chain: chain.name, traces: traces.name, tokens: tokens.name, actions: actions.name };
  return {
    name: 'lake',
    version: VERSION,
    retired: ['mints'],
    reads: FINISHED_TRACES,
    group: 'lake',
    // It checks the same records.
    decoder: ACTIONS_CODE,
    order: { partitions: 1 },
    begin: (at) => new LakeMaker(at, names),
    corrections: (at) => new LakeCorrections(at, names),
    input: TRACE_INPUT,
    needs: [chain, traces, tokens, actions],
    checks: lakeChecks,
    sink: {
      landings: [
        landing(TRADES, [TRADE_TARGET]),
        landing(NFT_EVENTS, [NFT_EVENT_TARGET]),
        landing(PART_STEP_ROWS, [PART_STEP_ROW_TARGET]),
      ],
      derived: [derived(POOL_PAYERS, TRADES.name), CORRECTION_ROWS, ...LAKE_SUMS.map(summedBySteps)],
    },
  };
};
