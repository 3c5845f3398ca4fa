import type { TableProjection } from '../src/engine/projection/projection.ts';
import { activityChecks } from '../src/projections/activity/activity-checks.ts';
import { ACTIVITY_CODE } from '../src/projections/activity/activity-code.ts';
import { ActivityMaker } from '../src/projections/activity/activity-rows.ts';
import { ACTIVITY as ACTIVITY_TABLE, ACTIVITY_TARGET } from '../src/tables/activity.ts';
import { PART_STEP_ROW_TARGET, PART_STEP_ROWS } from '../src/tables/engine-tables.ts';
import { ACTIVITY_SUMS } from '../src/tables/sums/activity-sums.ts';
import { summedBySteps } from '../src/tables/sums/sums.ts';
import { landing } from '../src/tables/target.ts';
import { BLOCK_INPUT, RAW_BLOCKS } from './raw-blocks.ts';

/**
 * Per account: how many transactions and messages it had, what they cost, when the first and the last one was, as of
 * every masterchain step. State is carried in the order of the chain.
 *
 *   raw-blocks ─▶ activity ─▶ land_activity (Null) ─▶ activity
 */
export const ACTIVITY: TableProjection = {
  name: 'activity',
  version: ACTIVITY_TABLE.version,
  reads: RAW_BLOCKS,
  group: 'activity',
  decoder: ACTIVITY_CODE,
  order: { partitions: 2 },
  begin: (at) => new ActivityMaker(at),
  input: BLOCK_INPUT,
  checks: activityChecks,
  sink: {
    landings: [landing(ACTIVITY_TABLE, [ACTIVITY_TARGET]), landing(PART_STEP_ROWS, [PART_STEP_ROW_TARGET])],
    derived: ACTIVITY_SUMS.map(summedBySteps),
  },
};
