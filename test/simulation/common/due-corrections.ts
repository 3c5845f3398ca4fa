import { ACTIONS, DETECTIONS, LAKE } from '../../../pipelines/projections.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { readDue } from '../../../src/projections/actions/stored/due-corrections.ts';
import { BEGUN, CORRECTED } from '../../../src/projections/records/correction-records.ts';

const EVERYTHING = 2 ** 32 - 1;
const KEY = 'mc_seqno, trace_id, account, workchain';

/** Corrections that servers still have to run, of actions and of rows of the lake after them. */
export async function countDueCorrections(client: StoreClient, network: string): Promise<number> {
  const [actions, detections, lake] = [ACTIONS, DETECTIONS, LAKE].map((one) => getDatabase({ network }, one));
  const due = await readDue(
    { client, database: actions! },
    { client, database: detections!, last: EVERYTHING },
    EVERYTHING,
    { detections: -1, actions: -1 },
  );
  const { rows } = await client.queryRows<[number]>(
    `SELECT toUInt32(count()) FROM (SELECT DISTINCT ${KEY} FROM ${actions}.corrections WHERE state = ${CORRECTED}
       AND (${KEY}) NOT IN (SELECT ${KEY} FROM ${lake}.corrections WHERE state != ${BEGUN}))`,
    { route: 'simulation' },
  );
  return due.length + Number(rows[0]?.[0]);
}
