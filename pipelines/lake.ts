import type { TableProjection } from '../src/engine/projection/projection.ts';
import { STEP_ROWS } from '../src/engine/sink/step-rows.ts';
import { ACTIONS_CODE } from '../src/projections/actions/stored/actions-code.ts';
import { LakeCorrections } from '../src/projections/lake/lake-corrections.ts';
import { LakeMaker } from '../src/projections/lake/lake-maker.ts';
import { FINISHED_TRACES, TRACE_INPUT } from './finished-traces.ts';

/** Projections that facts are read from. */
interface LakeNeeds {
  /** Transactions and messages. */
  readonly chain: TableProjection;
  /** States of items, sales and auctions. */
  readonly tokens: TableProjection;
  readonly actions: TableProjection;
}

/**
 * Tables of the lake with rows of their own: trades, events of NFTs, mints of jettons. They follow from the actions of the traces that
 * a step completed. The views of clickhouse/lake read them. A correction of actions makes the rows of its step again.
 *
 *   traces ─▶ lake ─▶ land_<table> (Null) ─▶ trades, nft_events, mints
 */
export const buildLake = ({ chain, tokens, actions }: LakeNeeds): TableProjection => {
  const names = { chain: chain.name, tokens: tokens.name, actions: actions.name };
  return {
    name: 'lake',
    version: 1,
    reads: FINISHED_TRACES,
    group: 'lake',
    // It checks the same records.
    decoder: ACTIONS_CODE,
    order: { partitions: 1 },
    begin: (at) => new LakeMaker(at, names),
    corrections: (at) => new LakeCorrections(at, names),
    input: TRACE_INPUT,
    needs: [chain, tokens, actions],
    sink: {
      landings: [
        { landing: 'trades', counted: [{ table: 'trades', shard: 'cityHash64(pool)', key: ['lt', 'pool'] }] },
        {
          landing: 'nft_events',
          counted: [{ table: 'nft_events', shard: 'cityHash64(item)', key: ['lt', 'item', 'type'] }],
        },
        {
          landing: 'mints',
          counted: [{ table: 'mints', shard: 'cityHash64(wallet)', key: ['lt', 'wallet'] }],
        },
        { landing: STEP_ROWS, counted: [{ table: STEP_ROWS, shard: 'mc_seqno' }] },
      ],
      derived: [
        {
          table: 'pool_payers',
          shard: 'cityHash64(pool)',
          repair: 'clickhouse/lake/repairs/pool_payers.sql',
        },
        // Nothing that is inserted writes them: a repair has nothing to derive.
        { table: 'corrections', shard: 'mc_seqno', repair: { sql: '' } },
      ],
    },
  };
};
