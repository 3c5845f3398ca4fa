import type { TableProjection, TopicProjection } from '../src/engine/projection/projection.ts';
import type { AuditedProjection } from '../src/engine/projection/table-audit.ts';
import type { RulesRelease } from '../src/projections/actions/match/context.ts';
import { writeLateContracts } from '../src/projections/contracts/late-contracts.ts';
import { actionsWith } from './actions.ts';
import { ACTIVITY } from './activity.ts';
import { BASE } from './base.ts';
import { CONTRACTS } from './contracts.ts';
import { buildDetections } from './detections.ts';
import { buildLake } from './lake.ts';
import { PUBLISH } from './publish.ts';
import { TRACES } from './traces.ts';

/** Contracts under unknown codes, which follow the codes of `contracts`. */
export const DETECTIONS: TableProjection = buildDetections(CONTRACTS);

/** Actions of traces, with the facts of the projections here. */
export const ACTIONS: TableProjection = actionsWith(
  { chain: BASE, tokens: CONTRACTS, detected: DETECTIONS },
  '1.2',
);

/** Tables of the lake with rows of their own. */
export const LAKE: TableProjection = buildLake({
  chain: BASE,
  traces: TRACES,
  tokens: CONTRACTS,
  actions: ACTIONS,
});

/** Projections besides `INPUT` that have rows of states which are given after the index was made. */
export const LATE_STATES = [{ name: CONTRACTS.name, write: writeLateContracts }] as const;

/** All projections into tables of the store; needed ones come first. */
export const PROJECTIONS: readonly TableProjection[] = [
  BASE,
  ACTIVITY,
  CONTRACTS,
  DETECTIONS,
  TRACES,
  ACTIONS,
  LAKE,
];

/** The same, with actions by a release of their rules. */
export function projectionsWith(release: RulesRelease = '1.2'): readonly TableProjection[] {
  const actions = actionsWith({ chain: BASE, tokens: CONTRACTS, detected: DETECTIONS }, release);
  return PROJECTIONS.map((projection) => (projection === ACTIONS ? actions : projection));
}

/** Every projection into topics that others read. */
export const TOPIC_PROJECTIONS: readonly TopicProjection[] = [PUBLISH];

/** The projection whose tables keep the records of the log: retention, repair, start states and the API begin with it. */
export const INPUT: AuditedProjection = BASE;
