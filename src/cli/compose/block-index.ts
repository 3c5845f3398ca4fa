import { LATE_STATES } from '../../../pipelines/projections.ts';
import type { StateIndex } from '../../capture/state-index.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { BaseStateIndex } from '../../projections/base/late-states/base-state-index.ts';

/*
 * The block functions that commands use in addition to the engine: late start states, the summary of an index, the
 * check of the log's blocks, and the border of a range.
 */

export { readBorder } from '../../projections/base/border.ts';
export { indexSummary } from '../../projections/base/index-summary.ts';
export { checkLog, type LogCheckResult } from '../../projections/base/verify/log-check.ts';

/** The index that receives start states; `parts`: of `INPUT`. `written`: projections of the index, which get rows too. */
export function stateIndex(parts: EngineParts, written: readonly TableProjection[] = []): StateIndex {
  const base = new BaseStateIndex(parts);
  return {
    start: () => base.start(),
    statesAt: (position) => base.statesAt(position),
    readStateHashes: () => base.readStateHashes(),
    takeIn: async (placed, signal) => {
      // First: the records of the states, which `base` stores last, show that all is done.
      const late = LATE_STATES.map(({ name, write }) => {
        const projection = written.find((one) => one.name === name);
        return projection && write({ ...parts, projection }, placed, signal);
      });
      await Promise.all(late);
      await base.takeIn(placed, signal);
    },
  };
}
