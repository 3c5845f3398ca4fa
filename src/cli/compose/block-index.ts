import type { StateIndex } from '../../capture/state-index.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { BaseStateIndex } from '../../projections/base/late-states/base-state-index.ts';

/*
 * The block functions that commands use in addition to the engine: late start states, the summary of an index, the
 * check of the log's blocks.
 */

export { indexSummary } from '../../projections/base/index-summary.ts';
export { checkLog, type LogCheckResult } from '../../projections/base/verify/log-check.ts';

/** The index that receives start states; `parts`: of `INPUT`. */
export function stateIndex(parts: EngineParts): StateIndex {
  return new BaseStateIndex(parts);
}
