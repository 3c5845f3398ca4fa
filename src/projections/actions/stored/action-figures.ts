import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { BEGUN, CORRECTED } from '../../records/correction-records.ts';
import { hasTable } from './has-table.ts';

/** Failing matchers that `status` names. */
const MAX_NAMED = 10;

/**
 * How many traces were classified, into how many actions, and what failed: each failing matcher with one of its traces.
 * Waiting traces have an account without an outcome of `detections`; corrected ones were classified again after it came.
 */
export async function actionFigures(store: StoreDatabase): Promise<Readonly<Record<string, number>>> {
  const { client, database } = store;
  const [steps, problems] = await Promise.all([
    client.queryRows<[string, string, string]>(
      `SELECT toString(sum(finished)), toString(sum(actions)), toString(sum(failed)) FROM ${database}.action_steps`,
      { route: 'status/actions' },
    ),
    client.queryRows<[string, string, string]>(
      `SELECT matcher, toString(count()), base64Encode(argMax(trace_id, (mc_seqno, trace_id))) FROM ${database}.action_problems
       GROUP BY matcher ORDER BY count() DESC, matcher LIMIT ${MAX_NAMED}`,
      { route: 'status/actions' },
    ),
  ]);
  const [traces = 0, actions = 0, failed = 0] = (steps.rows[0] ?? []).map(Number);
  return {
    'classified traces': traces - failed,
    actions,
    'failed traces': failed,
    ...(await correctionFigures(store)),
    ...Object.fromEntries(
      problems.rows.map(([matcher, count, trace]) => [
        `failures of ${matcher}, last in trace ${trace}`,
        Number(count),
      ]),
    ),
  };
}

async function correctionFigures(store: StoreDatabase): Promise<Readonly<Record<string, number>>> {
  // Versions of older releases have no corrections.
  if (!(await hasTable(store, 'corrections'))) return {};
  const { client, database } = store;
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT
       (SELECT toString(uniqExact(trace_id)) FROM ${database}.undetected_tokens
        WHERE (mc_seqno, trace_id, account, workchain) NOT IN
          (SELECT mc_seqno, trace_id, account, workchain FROM ${database}.corrections WHERE state != ${BEGUN})),
       (SELECT toString(uniqExact(trace_id)) FROM ${database}.corrections WHERE state = ${CORRECTED})`,
    { route: 'status/actions', ...RANGE_QUERY },
  );
  const [waiting, corrected] = rows[0] ?? ['0', '0'];
  return { 'waiting traces': Number(waiting), 'corrected traces': Number(corrected) };
}
