import type { TableProjection } from '../src/engine/projection/projection.ts';
import { STEP_ROWS } from '../src/engine/sink/step-rows.ts';
import type { RulesRelease } from '../src/projections/actions/match/context.ts';
import { actionFigures } from '../src/projections/actions/stored/action-figures.ts';
import { ACTIONS_CODE } from '../src/projections/actions/stored/actions-code.ts';
import { ActionsMaker } from '../src/projections/actions/stored/actions-rows.ts';
import { TraceCorrections } from '../src/projections/actions/stored/trace-corrections.ts';
import { FINISHED_TRACES, TRACE_INPUT } from './finished-traces.ts';

/** Everything of a trace on one shard. */
const TRACE = 'trace8';
const KEY = ['trace_end_lt', 'trace8', 'end_lt', 'action_id'];

/** Projections that facts are looked up in. */
interface FactSources {
  /** Transactions and account states. */
  readonly chain: TableProjection;
  /** States of contracts as their own cells have them. */
  readonly tokens: TableProjection;
  /** Contracts under unknown codes as their get methods describe them. */
  readonly detected: TableProjection;
}

/** Raised by two with every change of what the rules yield: the number of their release comes to it. */
const CODE = 14;
/** Releases of the rules, by what they add to the version of the code. Version 1 was of the first, too. */
const RELEASES: readonly RulesRelease[] = ['1.2', '1.3'];

/**
 * Actions of a trace, as a wallet would show them: transfers, swaps, sales … Transactions and facts of contracts are
 * read as of the step that completed the trace. A step with a token that is not detected yet waits for the
 * detections; a later detection corrects it.
 *
 *   traces ─▶ actions ─▶ land_<table> (Null) ─▶ actions, action_ids, action_accounts …
 */
export const actionsWith = (sources: FactSources, release: RulesRelease): TableProjection => {
  const made = {
    chain: sources.chain.name,
    tokens: sources.tokens.name,
    detected: sources.detected.name,
    release,
  };
  return {
    name: 'actions',
    version: CODE + RELEASES.indexOf(release),
    reads: FINISHED_TRACES,
    group: 'actions',
    decoder: ACTIONS_CODE,
    order: { partitions: 1 },
    begin: (at) => new ActionsMaker(at, made),
    corrections: (at) => new TraceCorrections(at, { ...made, input: TRACE_INPUT }),
    ofCode: (version) => actionsWith(sources, (version > 1 && RELEASES[version % RELEASES.length]) || '1.2'),
    input: TRACE_INPUT,
    needs: [sources.chain, sources.tokens],
    consults: [sources.detected],
    figures: actionFigures,
    sink: {
      landings: [
        {
          landing: 'actions',
          counted: [
            { table: 'actions', shard: TRACE, key: KEY },
            { table: 'action_ids', shard: 'id8' },
          ],
        },
        {
          landing: 'action_accounts',
          counted: [
            {
              table: 'action_accounts',
              shard: 'cityHash64(account)',
              key: ['workchain', 'account', ...KEY],
            },
          ],
        },
        {
          landing: 'undetected_tokens',
          counted: [{ table: 'undetected_tokens', shard: 'cityHash64(account)' }],
        },
        {
          landing: 'action_steps',
          counted: [{ table: 'action_steps', shard: 'mc_seqno', key: ['mc_seqno'] }],
        },
        {
          landing: 'action_problems',
          counted: [
            { table: 'action_problems', shard: 'mc_seqno', key: ['mc_seqno', 'trace_id', 'matcher'] },
          ],
        },
        { landing: STEP_ROWS, counted: [{ table: STEP_ROWS, shard: 'mc_seqno' }] },
      ],
      // Nothing that is inserted writes them: a repair has nothing to derive.
      derived: [{ table: 'corrections', shard: 'mc_seqno', repair: { sql: '' } }],
    },
  };
};
