import type { TableProjection } from '../src/engine/projection/projection.ts';
import { detectionFigures } from '../src/projections/detections/detection-figures.ts';
import { DETECTIONS_CODE } from '../src/projections/detections/detections-code.ts';
import { DETECTIONS_INPUT } from '../src/projections/detections/detections-input.ts';
import { OutcomeMaker } from '../src/projections/detections/detections-rows.ts';
import {
  CONTRACT_OUTCOME_TARGET,
  CONTRACT_OUTCOMES,
  DETECTED_CONTRACT_KEYS,
  DETECTED_CONTRACTS,
  TOKEN_OUTCOME_TARGET,
  TOKEN_OUTCOMES,
} from '../src/tables/detections.ts';
import { PART_STEP_ROW_TARGET, PART_STEP_ROWS } from '../src/tables/engine-tables.ts';
import { derived, landing } from '../src/tables/target.ts';
import { CORRECTED_RANKING, TOKEN_STATES, TOKEN_TARGETS, TOKENS_LATEST } from '../src/tables/token-states.ts';
import { DETECTION_RECORDS } from './detection-records.ts';

/**
 * Contracts under unknown codes, as their get methods describe them. The detector follows the confirmed steps of
 * `codes` (`contracts`), runs get methods, and appends their outcomes to the log: they are input here.
 *
 *   detections ─▶ detections ─▶ land_<table> (Null) ─▶ views ─▶ targets
 */
export const buildDetections = (codes: TableProjection): TableProjection => ({
  name: 'detections',
  version: TOKEN_OUTCOMES.version,
  reads: DETECTION_RECORDS,
  group: 'detections',
  decoder: DETECTIONS_CODE,
  order: { partitions: 1 },
  begin: (at) => new OutcomeMaker(at),
  input: DETECTIONS_INPUT,
  figures: (store) => detectionFigures(store, codes.name),
  isWrittenByServers: true,
  sink: {
    landings: [
      landing(TOKEN_OUTCOMES, [TOKEN_OUTCOME_TARGET]),
      landing(TOKEN_STATES, TOKEN_TARGETS),
      landing(CONTRACT_OUTCOMES, [CONTRACT_OUTCOME_TARGET]),
      landing(PART_STEP_ROWS, [PART_STEP_ROW_TARGET]),
    ],
    derived: [
      derived(TOKENS_LATEST, TOKEN_STATES.name),
      CORRECTED_RANKING,
      derived(DETECTED_CONTRACTS, CONTRACT_OUTCOMES.name),
      derived(DETECTED_CONTRACT_KEYS, CONTRACT_OUTCOMES.name),
    ],
  },
});
