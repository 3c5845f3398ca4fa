import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';

/** Failing matchers that `status` names. */
const MAX_NAMED = 10;

/** How many traces were classified, into how many actions, and what failed: each failing matcher with one of its traces. */
export async function actionFigures({
  client,
  database,
}: StoreDatabase): Promise<Readonly<Record<string, number>>> {
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
    ...Object.fromEntries(
      problems.rows.map(([matcher, count, trace]) => [
        `failures of ${matcher}, last in trace ${trace}`,
        Number(count),
      ]),
    ),
  };
}
