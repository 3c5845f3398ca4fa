import { storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';
import type { SinkContext } from './sink-context.ts';
import { countedTargets, positionColumn, type SinkDefinition } from './sink-definition.ts';
import { STEP_ROWS } from './step-rows.ts';

const route = 'sink/recount';

/**
 * Recounts the stored rows of steps: for callers that changed rows without a batch. `partition`: of a projection in chain
 * order.
 */
export async function recountSteps(
  { client, database }: Pick<SinkContext, 'client' | 'database'>,
  definition: SinkDefinition,
  ranges: readonly PositionRange[],
  partition?: number,
): Promise<void> {
  const position = positionColumn(definition);
  const isPart = partition === undefined ? '' : ` AND part = ${partition}`;
  const where = `(${rangeCondition(position, ranges)})${isPart}`;
  const [column, part] = partition === undefined ? ['', ''] : ['part, ', `${partition}, `];
  await client.command(`DELETE FROM ${storedTable(client, database, STEP_ROWS)} WHERE ${where}`, {
    route,
    settings: { lightweight_deletes_sync: 2 },
  });
  const counts = countedTargets(definition).map(
    ({ table }) =>
      `SELECT ${position}, '${table}' AS name, count() AS number FROM ${database}.${table} WHERE ${where} GROUP BY ${position}`,
  );
  await client.command(
    `INSERT INTO ${database}.${STEP_ROWS} (${position}, ${column}rows)
     SELECT ${position}, ${part}mapSort(mapFromArrays(groupArray(name), groupArray(number)))
     FROM (${counts.join(' UNION ALL ')}) GROUP BY ${position}`,
    { route, settings: { insert_deduplicate: 0 } },
  );
}
