import type { StateIndex } from '../../capture/state-index.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { BaseStateIndex } from '../../projections/base/late-states/base-state-index.ts';

/*
 * The projection of blocks as commands use it beside the engine: start states given later, the summary of an index, the
 * check of the log's blocks.
 */

export { indexSummary } from '../../projections/base/index-summary.ts';
export { checkLog, type LogCheckResult } from '../../projections/base/verify/log-check.ts';

/** The index that start states are taken into; `parts`: of `INPUT`. */
export function stateIndex(parts: EngineParts): StateIndex {
  return new BaseStateIndex(parts);
}
