import type { TableProjection } from '../src/engine/projection/projection.ts';
import { STEP_ROWS } from '../src/engine/sink/step-rows.ts';
import { detectionFigures } from '../src/projections/detections/detection-figures.ts';
import { DETECTIONS_CODE } from '../src/projections/detections/detections-code.ts';
import { DETECTIONS_INPUT } from '../src/projections/detections/detections-input.ts';
import { detectionsMaker } from '../src/projections/detections/detections-rows.ts';
import { DETECTION_RECORDS } from './detection-records.ts';

/** Everything of an account is on one shard. */
const ACCOUNT = 'cityHash64(account)';
const KEY = ['workchain', 'account', 'kind', 'lt', 'mc_seqno'];
const getRepair = (table: string) => `clickhouse/detections/repairs/${table}.sql`;

/**
 * Contracts under unknown codes, as their get methods describe them. The detector follows the confirmed steps of
 * `codes` (`contracts`), runs get methods, and appends their outcomes to the log: they are input here.
 *
 *   detections ─▶ detections ─▶ land_<table> (Null) ─▶ views ─▶ targets
 */
export const buildDetections = (codes: TableProjection): TableProjection => ({
  name: 'detections',
  version: 1,
  reads: DETECTION_RECORDS,
  group: 'detections',
  decoder: DETECTIONS_CODE,
  order: { partitions: 1 },
  begin: detectionsMaker,
  input: DETECTIONS_INPUT,
  figures: (store) => detectionFigures(store, codes.name),
  isWrittenByServers: true,
  sink: {
    landings: [
      { landing: 'token_outcomes', counted: [{ table: 'token_outcomes', shard: ACCOUNT, key: KEY }] },
      { landing: 'contract_outcomes', counted: [{ table: 'contract_outcomes', shard: ACCOUNT, key: KEY }] },
      { landing: STEP_ROWS, counted: [{ table: STEP_ROWS, shard: 'mc_seqno' }] },
    ],
    derived: [
      { table: 'detections', shard: ACCOUNT, repair: getRepair('detections') },
      { table: 'detected_keys', shard: 'cityHash64(key)', repair: getRepair('detected_keys') },
      { table: 'confirmed_tokens', shard: ACCOUNT, repair: getRepair('confirmed_tokens') },
      { table: 'detected_contracts', shard: ACCOUNT, repair: getRepair('detected_contracts') },
      {
        table: 'detected_contract_keys',
        shard: 'cityHash64(key)',
        repair: getRepair('detected_contract_keys'),
      },
    ],
  },
});
