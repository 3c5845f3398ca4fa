import type { StoreDatabase } from '../../engine/projection/stored-input.ts';

/** How many traces are open, finished and broken, for `status`. */
export async function traceFigures({
  client,
  database,
}: StoreDatabase): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT toString(sum(begun)), toString(sum(completed)), toString(sum(broken)) FROM ${database}.trace_steps`,
    { route: 'status/traces' },
  );
  const [begun = 0, finished = 0, broken = 0] = (rows[0] ?? []).map(Number);
  return { 'open traces': begun - finished - broken, finished, broken };
}
