import { CONTRACTS } from '../../../pipelines/contracts.ts';
import type { StateIndex } from '../../capture/state-index.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { BaseStateIndex } from '../../projections/base/late-states/base-state-index.ts';
import { writeLateContracts } from '../../projections/contracts/late-contracts.ts';

/*
 * The block functions that commands use in addition to the engine: late start states, the summary of an index, the
 * check of the log's blocks.
 */

export { indexSummary } from '../../projections/base/index-summary.ts';
export { checkLog, type LogCheckResult } from '../../projections/base/verify/log-check.ts';

/** The index that receives start states; `parts`: of `INPUT`. `written`: projections of the index; their contracts are added. */
export function stateIndex(parts: EngineParts, written: readonly TableProjection[] = []): StateIndex {
  const base = new BaseStateIndex(parts);
  const contracts = written.find(({ name }) => name === CONTRACTS.name);
  return {
    start: () => base.start(),
    statesAt: (position) => base.statesAt(position),
    readStateHashes: () => base.readStateHashes(),
    takeIn: async (placed, signal) => {
      // First: the records of the states, which `base` stores last, show that all is done.
      if (contracts) await writeLateContracts({ ...parts, projection: contracts }, placed, signal);
      await base.takeIn(placed, signal);
    },
  };
}
