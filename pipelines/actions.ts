import type { TableProjection } from '../src/engine/projection/projection.ts';
import type { RulesRelease } from '../src/projections/actions/match/context.ts';
import { actionFigures } from '../src/projections/actions/stored/action-figures.ts';
import { ACTIONS_CODE } from '../src/projections/actions/stored/actions-code.ts';
import { ActionsMaker } from '../src/projections/actions/stored/actions-rows.ts';
import { TraceCorrections } from '../src/projections/actions/stored/trace-corrections.ts';
import {
  ACTION_PROBLEMS,
  ACTION_STEP_TARGET,
  ACTION_STEPS,
  PROBLEM_TARGET,
  UNDETECTED_TARGET,
  UNDETECTED_TOKENS,
} from '../src/tables/actions/action-steps.ts';
import {
  ACTION_ACCOUNT_TARGET,
  ACTION_ACCOUNTS,
  ACTION_ID_TARGET,
  ACTION_TARGET,
  ACTIONS,
  ACTIONS_CODE_VERSION,
} from '../src/tables/actions/actions.ts';
import { CORRECTION_ROWS, PART_STEP_ROW_TARGET, PART_STEP_ROWS } from '../src/tables/engine-tables.ts';
import { landing } from '../src/tables/target.ts';
import { FINISHED_TRACES, TRACE_INPUT } from './finished-traces.ts';

/** Projections that facts are looked up in. */
interface FactSources {
  /** Transactions and account states. */
  readonly chain: TableProjection;
  /** States of contracts as their own cells have them. */
  readonly tokens: TableProjection;
  /** Contracts under unknown codes as their get methods describe them. */
  readonly detected: TableProjection;
}

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
    version: ACTIONS_CODE_VERSION + RELEASES.indexOf(release),
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
        landing(ACTIONS, [ACTION_TARGET, ACTION_ID_TARGET]),
        landing(ACTION_ACCOUNTS, [ACTION_ACCOUNT_TARGET]),
        landing(UNDETECTED_TOKENS, [UNDETECTED_TARGET]),
        landing(ACTION_STEPS, [ACTION_STEP_TARGET]),
        landing(ACTION_PROBLEMS, [PROBLEM_TARGET]),
        landing(PART_STEP_ROWS, [PART_STEP_ROW_TARGET]),
      ],
      derived: [CORRECTION_ROWS],
    },
  };
};
